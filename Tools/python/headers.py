"""The headers that boards have: which pin stands where, and what the pins are that are no lines."""

GROUND, POWER_3V3, POWER_5V, OTHER = "GND", "3.3 V", "5 V", ""


class Header:
    """Two columns of pins from top to bottom; `fixed` says what the pins are that no profile can name a line for."""

    def __init__(self, title, left, right, fixed, note=""):
        self.title = title
        self.columns = {"left": left, "right": right}
        self.fixed = fixed
        self.note = note

    def place(self, pin):
        """The side and the row of a pin."""
        for side, pins in self.columns.items():
            if pin in pins:
                return side, pins.index(pin)
        raise SystemExit(f"{self.title}: there is no pin {pin}")

    def nearest(self, side, row, kind):
        """The pin of this kind on that side that is best reached: the next one below the row, or else the last one."""
        pins = [pin for pin in self.columns[side] if self.fixed.get(pin) == kind]
        below = [pin for pin in pins if self.columns[side].index(pin) > row]
        return (below or pins[-1:])[0]


def forty_pins():
    fixed = {"1": POWER_3V3, "17": POWER_3V3, "2": POWER_5V, "4": POWER_5V}
    fixed.update({str(pin): GROUND for pin in (6, 9, 14, 20, 25, 30, 34, 39)})
    odd, even = [str(pin) for pin in range(1, 41, 2)], [str(pin) for pin in range(2, 41, 2)]
    return Header("40-pin header", odd, even, fixed, "Pin 1 is marked on the board; the odd pins are its row.")


def mikrobus():
    left = ["AN", "RST", "CS", "SCK", "MISO", "MOSI", "3V3", "GND"]
    right = ["PWM", "INT", "RX", "TX", "SCL", "SDA", "5V", "GND2"]
    fixed = {"3V3": POWER_3V3, "5V": POWER_5V, "GND": GROUND, "GND2": GROUND}
    return Header("mikroBUS socket", left, right, fixed, "The names stand beside the socket; both GND pins are the same.")


def adapter():
    left = ["VIO", "IO0", "IO1", "IO2", "IO3", "GND"]
    right = ["5V", "IO4", "IO5", "IO6", "IO7", "GND2"]
    fixed = {"VIO": POWER_3V3, "5V": POWER_5V, "GND": GROUND, "GND2": GROUND}
    return Header("CP2112 adapter", left, right, fixed, "The order of the pins differs between adapters; go by the names (IO, GPIO. or GP).")


FAMILIES = {
    "raspberry-pi-4": forty_pins,
    "raspberry-pi-5": forty_pins,
    "raspberry-pi-zero-2w": forty_pins,
    "rock-5b": forty_pins,
    "beagleplay": mikrobus,
    "generic-x86": adapter,
}
