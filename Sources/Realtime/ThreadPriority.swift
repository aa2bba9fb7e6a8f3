/// How urgently the kernel runs a thread.
package enum ThreadPriority: Hashable, Sendable {
    case normal
    /// SCHED_FIFO with this priority (1 … 99); where it is not permitted the thread runs as a normal one.
    case realtime(Int32)
}
