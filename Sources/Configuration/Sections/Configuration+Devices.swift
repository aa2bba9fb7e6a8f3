import MediaTypes

extension Configuration {
    /// The cameras, and the picture that is asked of them.
    package struct Camera: Hashable, Sendable {
        /// At least one, best first: the first that opens is used.
        package var devices = ["default"]
        package var width = 640
        package var height = 480
        package var framesPerSecond = 30
        /// At start, and in the mode `on-call` at the start of each call.
        package var startsOff = false

        package init() {}

        package var size: PictureSize { PictureSize(width: width, height: height) }
    }

    /// Where the published audio comes from.
    package struct Microphone: Hashable, Sendable {
        package var device = "default"
        /// At start, and in the mode `on-call` at the start of each call: for push to talk.
        package var startsMuted = false

        package init() {}
    }

    /// Where the room is heard.
    package struct Speaker: Hashable, Sendable {
        package var device = "default"
        package var volume = 100

        package init() {}
    }

    /// Where the room is seen.
    package struct Display: Hashable, Sendable {
        /// Where one's own picture is shown while the camera is open.
        package enum Preview: String, CaseIterable, Sendable {
            case yes = "true"
            case no = "false"
            case topLeft = "top-left"
            case topRight = "top-right"
            case bottomLeft = "bottom-left"
            case bottomRight = "bottom-right"

            /// The corner's name; nil: nowhere.
            package var place: String? {
                switch self {
                case .yes: Preview.bottomRight.rawValue
                case .no: nil
                case .topLeft, .topRight, .bottomLeft, .bottomRight: rawValue
                }
            }
        }

        package var device = "none"
        package var width = 1280
        package var height = 720
        package var preview = Preview.yes
        /// The participants' names, and marks for what they have muted, stand in their pictures.
        package var showsNames = true

        package init() {}

        package var size: PictureSize { PictureSize(width: width, height: height) }
    }
}
