// What a session description says about the connection it belongs to.

// The far end of a connection: its certificates and, where given, its DTLS association (RFC 8842).
export function farEnd(sdp) {
  const values = (attribute) => sdp.split(/\r?\n/)
    .filter((line) => line.startsWith(`a=${attribute}:`)).map((line) => line.slice(attribute.length + 3));
  const unique = (list) => [...new Set(list)].sort().join(" ");
  return { certificates: unique(values("fingerprint").map((value) => value.toLowerCase())), association: unique(values("tls-id")) };
}

// Whether the other side has begun anew. An association that is not named, as in the answer to an offer that named none, may
// be any.
export function isOtherFarEnd(before, now) {
  return before.certificates !== now.certificates
    || before.association !== "" && now.association !== "" && before.association !== now.association;
}

// A name for the DTLS association of one connection of ours; browsers give none.
export function newAssociation() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The description as it is sent: with the name of its association, to which the other side answers with its own.
export function naming(association, sdp) {
  return sdp.replace(/^a=setup:.*$/gm, `$&\r\na=tls-id:${association}`);
}
