/// A way to use a button that an action can be bound to; the raw value is the key of the configuration.
package enum ButtonTrigger: String, CaseIterable, Hashable, Sendable {
    case press
    case longPress = "long-press"
    case doublePress = "double-press"
    case hold
}
