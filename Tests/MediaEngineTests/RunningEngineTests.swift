import Testing

/// The suites whose tests run media threads and look at the clock: one test at a time, so that they do not take the
/// processor from each other.
@Suite(.serialized) enum RunningEngineTests {}
