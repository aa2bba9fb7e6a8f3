import JSONText

/// What two participants tell each other to set up their peer connection; the lobby passes it on unread.
package enum LobbySignal: Sendable, Equatable {
    case description(type: DescriptionType, sdp: String)
    case candidate(candidate: String, mid: String?, lineIndex: Int?)
    case endOfCandidates

    package enum DescriptionType: String, Sendable, CaseIterable {
        case offer
        case answer
        case rollback
    }

    init(_ fields: MessageFields) throws(LobbyMessageError) {
        if let description = try fields.object("description") {
            guard let type = DescriptionType(rawValue: try description.requiredText("type", maximumBytes: 16)) else {
                throw fields.problem("description.type must be offer, answer or rollback")
            }
            // A browser's rollback has no sdp, or an empty one.
            let sdp = try description.text("sdp", maximumBytes: LobbyLimits.descriptionBytes) ?? ""
            if type != .rollback && sdp.isEmpty { throw fields.problem("description.sdp is missing") }
            self = .description(type: type, sdp: sdp)
        } else if let candidate = try fields.object("candidate") {
            let index = try candidate.integer("sdpMLineIndex")
            guard index.map({ (0..<256).contains($0) }) ?? true else {
                throw fields.problem("candidate.sdpMLineIndex is out of range")
            }
            self = .candidate(
                candidate: try candidate.requiredText("candidate", maximumBytes: LobbyLimits.candidateBytes),
                mid: try candidate.text("sdpMid", maximumBytes: 64), lineIndex: index.map(Int.init))
        } else if try fields.flag("endOfCandidates") == true {
            self = .endOfCandidates
        } else {
            throw fields.problem("a signal needs description, candidate or endOfCandidates: true")
        }
    }

    /// Key and value of the field that carries it.
    var json: (key: String, value: JSONValue) {
        switch self {
        case .description(let type, let sdp):
            return ("description", ["type": .string(type.rawValue), "sdp": .string(sdp)])
        case .candidate(let candidate, let mid, let lineIndex):
            return (
                "candidate",
                [
                    "candidate": .string(candidate), "sdpMid": mid.map(JSONValue.string) ?? nil,
                    "sdpMLineIndex": lineIndex.map { .integer(Int64($0)) } ?? nil,
                ]
            )
        case .endOfCandidates: return ("endOfCandidates", true)
        }
    }
}
