import CALSA
import CDeviceShims
import Glibc

/// Opens PCMs and tells in plain words why one does not open.
enum ALSAOpening {
    static func open(_ candidate: String, name: String, isCapture: Bool) throws(DeviceError) -> OpaquePointer {
        ccb_alsa_forget_message()
        var handle: OpaquePointer?
        let stream = isCapture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        let result = snd_pcm_open(&handle, candidate, stream, Int32(SND_PCM_NONBLOCK))
        if result == 0, let handle { return handle }
        switch -result {
        case EBUSY, EAGAIN:
            throw .busy(name: name, holder: DeviceHolder.ofSoundCard(pcmName: candidate, isCapture: isCapture))
        case EACCES, EPERM:
            throw .notPermitted(name: name, hint: ALSACard.permissionHint)
        case ENOENT, ENODEV, ENXIO, ECONNREFUSED:
            // Cards that may not be opened look to libasound like cards that are not there.
            let cards = candidate == "default" ? ALSACard.all() : ALSACard.ofPCM(candidate).map { [$0] } ?? []
            if !cards.isEmpty, cards.allSatisfy({ $0.problem == ALSACard.permissionHint }) {
                throw .notPermitted(name: name, hint: ALSACard.permissionHint)
            }
            throw .missing(name: name)
        case EINVAL:
            let message = String(cString: ccb_alsa_last_message())
            throw .unsupported(name: name, reason: message.isEmpty ? "ALSA does not know it" : "ALSA says: \(message)")
        default:
            throw .system(name: name, operation: "open", code: -result)
        }
    }
}
