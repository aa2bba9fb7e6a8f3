/// One `a=extmap` entry: the number that an RTP header extension has on this line (RFC 8285).
package struct HeaderExtension: Hashable, Sendable {
    package var id: UInt8
    package var uri: String

    package init(id: UInt8, uri: String) {
        self.id = id
        self.uri = uri
    }
}
