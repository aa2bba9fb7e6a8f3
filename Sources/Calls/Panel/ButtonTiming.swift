import MediaTypes

/// How long is short, long and too long, for one button.
package struct ButtonTiming: Hashable, Sendable {
    /// A level counts once it has not changed for this time; zero where the kernel debounces.
    package var debounce = Interval.milliseconds(30)
    /// From going down to `longPress`.
    package var longPress = Interval.milliseconds(800)
    /// From going up to going down again, at most, for `doublePress`.
    package var doublePress = Interval.milliseconds(300)
    /// From going down until the button is taken to be stuck.
    package var stuck = Interval.seconds(60)

    package init() {}
}
