import Rooms

/// libFuzzer target: a message of another participant, from its text to the session that takes it.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzRoomMessages(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    fuzzRoomMessage(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
