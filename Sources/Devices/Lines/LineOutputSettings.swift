/// A GPIO line to be driven. Inactive is its safe level.
///
/// While the process lives the line is driven; when it ends, however it ends, the kernel closes the request and gives the
/// pin back to its controller. Most controllers make it an input then, and what the circuit does with an undriven line
/// decides; some keep the last level until the line is requested again, which makes it inactive: at the latest when the
/// service manager has restarted the endpoint. So a relay must be wired such that an undriven line releases it:
/// - active high, `push-pull` or `open-source`: a transistor with its resistor to ground;
/// - active low, `open-drain`: the input of the relay board pulled to its supply, as opto-coupled boards have it. Inactive is
///   "let go" then, the same as undriven, so that the end of the process is not even an edge.
package struct LineOutputSettings: Hashable, Sendable {
    package var address: LineAddress
    package var isActiveLow = false
    package var drive = LineDrive.pushPull

    package init(_ address: LineAddress) {
        self.address = address
    }
}
