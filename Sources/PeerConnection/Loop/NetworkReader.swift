import CNetworkShims

/// Watches one descriptor for the network loop until it is cancelled; the descriptor stays its owner's.
///
/// - Thread: `cb-net` only.
package final class NetworkReader {
    private var source: OpaquePointer?
    private let handler: () -> Void

    init(context: OpaquePointer, fileDescriptor: Int32, handler: @escaping () -> Void) {
        self.handler = handler
        source = ccb_reader_new(context, fileDescriptor, readerReady, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        cancel()
    }

    /// Stops watching; call it before the descriptor is closed.
    package func cancel() {
        guard let source else { return }
        self.source = nil
        ccb_source_free(source)
    }

    fileprivate func ready() {
        guard source != nil else { return }
        handler()
    }
}

private func readerReady(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<NetworkReader>.fromOpaque(context).takeUnretainedValue().ready()
}
