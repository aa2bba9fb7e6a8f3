/// Inputs behind one descriptor: a GPIO line, the keys of an input device, or their twin.
///
/// - Thread: one (`cb-lines`).
package protocol LineInput: AnyObject {
    /// Readable while edges wait.
    var fileDescriptor: Int32 { get }
    /// The kernel lets only settled levels through.
    var isDebounced: Bool { get }
    /// The level of an input now.
    func isActive(_ index: Int) throws(DeviceError) -> Bool
    /// What has happened since the last call, oldest first, without waiting. Where something may have been lost the levels
    /// follow.
    func readEdges() throws(DeviceError) -> [LineEdge]
    /// Gives the inputs back; nothing may be called afterwards but `close` again.
    func close()
}

/// An output line, real or simulated; inactive when it is opened.
///
/// - Thread: one (`cb-lines`).
package protocol LineOutput: AnyObject {
    func setActive(_ isActive: Bool) throws(DeviceError)
    /// Makes the line inactive and gives it back; nothing may be called afterwards but `close` again.
    func close()
}
