// The connection to the lobby (Sources/LobbyProtocol/PROTOCOL.md): join, requests, keep-alive, coming back by itself.

import { closeWords } from "./words.js";

const PING_EVERY = 4000;
const SILENT_FOR = 10000;
// The same rule as an endpoint's: quick for a while, then ever more slowly; reset after a healthy time.
const QUICK_PHASE = 15000;
const SHORTEST_DELAY = 250;
const QUICK_LIMIT = 1000;
const LONGEST_DELAY = 30000;
const HEALTHY_TIME = 60000;

// Events: "joined" (detail: the reply), "message" (detail: the message), "refused" ({code, text}: joining was refused
// for good), "lost" ({words, retryIn}: trying again by itself), "ended" ({words, code}: not trying again).
export class Lobby extends EventTarget {
  #join;
  #socket = null;
  #requests = new Map();
  #nextRequest = 1;
  #retryTimer = 0;
  #pingTimer = 0;
  #lastHeard = 0;
  #lostSince = 0;
  #joinedAt = 0;
  #limit = QUICK_LIMIT;
  #wasJoined = false;
  #isStopped = false;
  #retryNow = () => { if (this.#retryTimer) this.retry(); };

  // join: a function that returns the fields of the join message; asked again for each attempt.
  constructor(join) {
    super();
    this.#join = join;
    window.addEventListener("online", this.#retryNow);
  }

  start() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = 0;
    const url = new URL("ws", document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url, "callbox-lobby");
    this.#socket = socket;
    this.#lastHeard = performance.now();
    clearInterval(this.#pingTimer);
    this.#pingTimer = setInterval(() => this.#keepAlive(socket), PING_EVERY);
    socket.onopen = () => {
      this.request({ type: "join", protocol: 1, ...this.#join() }).then(
        (reply) => {
          this.#wasJoined = true;
          this.#joinedAt = performance.now();
          this.#emit("joined", reply);
        },
        (error) => this.#refused(socket, error));
    };
    socket.onmessage = (event) => { if (socket === this.#socket) this.#receive(event.data); };
    socket.onclose = (event) => this.#closed(socket, event.code);
  }

  // Sends a message that needs no answer; false when there is no connection.
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  // Sends a message and gives its answer; fails with {code, text}.
  request(message) {
    return new Promise((resolve, reject) => {
      const request = this.#nextRequest++;
      if (!this.send({ ...message, request })) {
        reject({ code: "notConnected", text: "no connection to the lobby" });
        return;
      }
      this.#requests.set(request, { resolve, reject });
    });
  }

  retry() {
    this.#limit = QUICK_LIMIT;
    this.start();
  }

  stop() {
    this.#isStopped = true;
    window.removeEventListener("online", this.#retryNow);
    clearTimeout(this.#retryTimer);
    clearInterval(this.#pingTimer);
    this.send({ type: "leave" });
    this.#socket?.close(1000);
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #receive(text) {
    this.#lastHeard = performance.now();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    const waiting = this.#requests.get(message.inReplyTo);
    if (waiting) {
      this.#requests.delete(message.inReplyTo);
      if (message.type === "error") waiting.reject(message);
      else waiting.resolve(message);
    } else {
      this.#emit("message", message);
    }
  }

  #keepAlive(socket) {
    if (socket !== this.#socket) return;
    if (performance.now() - this.#lastHeard > SILENT_FOR) {
      // close() waits for the other side, which is silent: do not wait with it.
      socket.onclose = null;
      socket.close();
      this.#closed(socket, 1006);
    } else {
      this.send({ type: "ping" });
    }
  }

  #refused(socket, error) {
    if (socket !== this.#socket || error.code === "notConnected" || error.code === "lost") return;
    const isTemporary = error.code === "roomFull" || error.code === "lobbyFull";
    if (this.#wasJoined && isTemporary) {
      socket.close(4000);
    } else {
      this.#end();
      this.#emit("refused", error);
    }
  }

  #closed(socket, code) {
    if (socket !== this.#socket) return;
    for (const { reject } of this.#requests.values()) reject({ code: "lost", text: "the connection was lost" });
    this.#requests.clear();
    if (this.#isStopped) return;
    const { words, retry } = closeWords(code);
    if (retry === "never") {
      this.#end();
      this.#emit("ended", { words, code });
      return;
    }
    clearInterval(this.#pingTimer);
    const retryIn = this.#delay(retry);
    this.#emit("lost", { words, retryIn });
    this.#retryTimer = setTimeout(() => this.start(), retryIn);
  }

  // Quick during the first seconds, so that a restart is hardly noticed; then ever more slowly and at random, so that
  // many pages do not storm a lobby together.
  #delay(retry) {
    const now = performance.now();
    if (this.#joinedAt && now - this.#joinedAt >= HEALTHY_TIME) {
      this.#lostSince = 0;
      this.#limit = QUICK_LIMIT;
    }
    this.#joinedAt = 0;
    if (retry === "slowly") return 20000 + Math.random() * 10000;
    this.#lostSince ||= now;
    if (now - this.#lostSince >= QUICK_PHASE) this.#limit = Math.min(2 * this.#limit, LONGEST_DELAY);
    return SHORTEST_DELAY + Math.random() * (this.#limit - SHORTEST_DELAY);
  }

  #end() {
    this.#isStopped = true;
    window.removeEventListener("online", this.#retryNow);
    clearInterval(this.#pingTimer);
    this.#socket.onclose = null;
    this.#socket.close();
  }
}
