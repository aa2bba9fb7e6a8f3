import MediaTypes

/// One compressed picture, in memory of the encoder that made it.
package struct EncodedVideoFrame {
    /// Valid until the encoder's next call.
    package let bytes: UnsafeRawBufferPointer
    /// Whether it can be decoded without any frame before it.
    package let isKeyFrame: Bool
    /// Ticks of 90 kHz, as given to the encoder.
    package let timestamp: RTPTimestamp
}
