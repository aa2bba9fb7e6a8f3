import MediaTypes

/// How long a relay is pulled.
package struct RelayTiming: Hashable, Sendable {
    /// When nobody says how long.
    package var pulse = Interval.seconds(3)
    /// Whatever anybody says: a strike that is powered for minutes burns, a door that stays open is no door.
    package var maximum = Interval.seconds(10)

    package init() {}
}
