import LobbyProtocol

/// libFuzzer target: everything that a lobby or a client reads from a WebSocket.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzSignalling(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    fuzzLobbyMessages(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
