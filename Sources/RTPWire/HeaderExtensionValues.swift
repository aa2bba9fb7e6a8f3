/// The header extensions of one packet, decoded or to be written; a pointer in it lives as long as the packet's bytes.
package struct HeaderExtensionValues {
    package var audioLevel: AudioLevel?
    /// 24 bits of 6.18 fixed-point seconds.
    package var absSendTime: UInt32?
    package var transportSequence: UInt16?
    /// UTF-8 text of the media line's identification.
    package var mid: UnsafeRawBufferPointer?
    package var absCaptureTime: AbsoluteCaptureTime?

    package init() {}

    /// Decodes what `map` names in one walk; values of an impossible length are left out.
    package init(_ packet: RTPPacketView, map: HeaderExtensionMap) {
        var elements = packet.extensionElements
        while let element = elements.next() {
            let value = element.value
            switch element.id {
            case map.audioLevel where !value.isEmpty:
                audioLevel = AudioLevel(minusDBov: value[0] & 0x7F, hasVoice: value[0] & 0x80 != 0)
            case map.absSendTime where value.count == 3:
                absSendTime = value.uint24(at: 0)
            case map.transportSequence where value.count >= 2:
                transportSequence = value.uint16(at: 0)
            case map.mid where !value.isEmpty:
                mid = value
            case map.absCaptureTime where value.count >= 8:
                absCaptureTime = AbsoluteCaptureTime(
                    captureTime: NTPTime(value.uint64(at: 0)),
                    clockOffset: value.count >= 16 ? Int64(bitPattern: value.uint64(at: 8)) : nil)
            default:
                break
            }
        }
    }
}
