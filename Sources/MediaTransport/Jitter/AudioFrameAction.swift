/// What the playback thread does for the next stretch of one remote stream's audio.
///
/// - Units: frames are samples at 48 kHz; a normal stretch is 960 of them (20 ms).
/// - Pointers belong to the jitter buffer and are valid until its next call.
package enum AudioFrameAction {
    /// Decode this packet; its length in frames is the packet's own (10 … 120 ms).
    case decode(UnsafeRawBufferPointer)
    /// The packet before this one is lost: decode `frames` of it from the redundancy that this one carries.
    case decodeFEC(UnsafeRawBufferPointer, frames: Int)
    /// Let the decoder invent `frames` of audio.
    case conceal(frames: Int)
    /// Nothing is being said, or nothing has come yet: play `frames` of silence.
    case silence(frames: Int)
}
