// What a session description says about the connection it belongs to.

// Names the far end of a connection: its certificate and, where given, its DTLS association (RFC 8842). While both stay
// the connection is the same one, however often it is negotiated; otherwise the other side has begun anew.
export function farEnd(sdp) {
  const values = (attribute) => sdp.split(/\r?\n/)
    .filter((line) => line.startsWith(`a=${attribute}:`)).map((line) => line.slice(attribute.length + 3));
  const fingerprints = values("fingerprint").map((value) => value.toLowerCase());
  return [...new Set([...fingerprints, ...values("tls-id")])].sort().join(" ");
}
