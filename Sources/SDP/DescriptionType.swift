/// The role of a session description in the offer/answer exchange; raw values are those of signalling messages.
package enum DescriptionType: String, Sendable {
    case offer
    case answer
    case provisionalAnswer = "pranswer"
    /// Takes back the pending offer; carries no text.
    case rollback
}
