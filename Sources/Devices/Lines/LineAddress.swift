/// Where a GPIO line is: a chip and a line of it.
package struct LineAddress: Hashable, Sendable, CustomStringConvertible {
    /// The chip that is made by software; any line of it exists.
    package static let simulatedChip = "simulated"

    /// The chip's label, its name (`gpiochip0`) or its path; nil: any chip that has a line of this name. Labels stay when
    /// chips are counted in another order, names do not.
    package var chip: String?
    /// The line's name, or its number on the chip.
    package var line: String

    package init(chip: String?, line: String) {
        self.chip = chip
        self.line = line
    }

    package var isSimulated: Bool { chip == LineAddress.simulatedChip }

    package var description: String { chip.map { "\($0) \(line)" } ?? line }
}
