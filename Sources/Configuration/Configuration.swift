/// Everything that one endpoint is told by its file; what the file leaves out has the default.
///
/// What each key means, allows and defaults to stands once, in `ConfigurationSchema`.
package struct Configuration: Hashable, Sendable {
    package var board = Board()
    package var device = Device()
    package var room = Room()
    package var lobby = Lobby()
    package var camera = Camera()
    package var microphone = Microphone()
    package var speaker = Speaker()
    package var display = Display()
    package var video = Video()
    package var audio = Audio()
    package var ice = ICE()
    package var calls = Calls()
    package var permissions = Permissions()
    package var gpio = GPIO()
    package var buttons: [Button] = []
    package var leds: [LED] = []
    package var relays: [Relay] = []
    package var control = Control()
    package var log = Log()

    package init() {}
}
