// How a connection does, read from the browser's reports.

// Without any packet for this long a participant whom the lobby has lost is gone: while it sends sound or pictures, and
// while only the connection's own checks keep it alive.
const SILENT_MEDIA = 1500;
const SILENT_CHECKS = 7000;

export class Health {
  #before = null;
  #bytes = 0;
  #heardAt = 0;

  // From what was lost since the last call and from the round-trip time: good, medium, bad or unknown.
  async quality(connection) {
    let lost = 0, received = 0, roundTrip = 0;
    for (const report of (await connection.getStats()).values()) {
      if (report.type === "inbound-rtp") {
        lost += Math.max(0, report.packetsLost ?? 0);
        received += report.packetsReceived ?? 0;
      } else if (report.type === "candidate-pair" && report.nominated) {
        roundTrip = report.currentRoundTripTime ?? 0;
      }
    }
    const before = this.#before ?? { lost, received };
    this.#before = { lost, received };
    const newlyLost = Math.max(0, lost - before.lost);
    const all = newlyLost + received - before.received;
    const share = all > 0 ? newlyLost / all : 0;
    if (all <= 0) return "unknown";
    if (share > 0.1 || roundTrip > 0.8) return "bad";
    return share > 0.03 || roundTrip > 0.4 ? "medium" : "good";
  }

  // The time counts from here.
  startWatch() {
    this.#heardAt = performance.now();
  }

  // Whether anything came lately. sends: the other side says that it sends sound or pictures.
  async lives(connection, sends) {
    let bytes = 0;
    for (const report of (await connection.getStats()).values()) {
      if (report.type === "transport") bytes += report.bytesReceived ?? 0;
    }
    const now = performance.now();
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#heardAt = now;
    }
    return now - this.#heardAt < (sends ? SILENT_MEDIA : SILENT_CHECKS);
  }
}
