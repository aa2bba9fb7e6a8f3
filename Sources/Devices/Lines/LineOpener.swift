import MediaTypes

/// Opens inputs and outputs: the door to GPIO lines, input devices and their twin.
///
/// - Thread: any; opening takes some milliseconds.
package struct LineOpener: Sendable {
    /// The lines of the chip `simulated`.
    package let simulated: SimulatedLines
    /// What the kernel and other programs are told of who has the line.
    private let consumer: String

    package init(simulated: SimulatedLines, consumer: String = "callbox") {
        self.simulated = simulated
        self.consumer = consumer
    }

    package func openInput(_ settings: LineInputSettings) throws(DeviceError) -> any LineInput {
        if settings.address.isSimulated { return try SimulatedInput(simulated, settings.address.line) }
        return try GPIOInput(settings, consumer: consumer)
    }

    /// Opens some keys of an input device; their indices are those of the list.
    /// - Parameter isGrabbed: nobody else gets the device's keys meanwhile.
    package func openKeys(
        _ keys: [KeyCode], ofDevice device: String, isGrabbed: Bool
    ) throws(DeviceError) -> any LineInput {
        try KeyInput(device: device, keys: keys, isGrabbed: isGrabbed)
    }

    package func openOutput(_ settings: LineOutputSettings) throws(DeviceError) -> any LineOutput {
        if settings.address.isSimulated { return try SimulatedOutput(simulated, settings.address.line) }
        return try GPIOOutput(settings, consumer: consumer)
    }
}
