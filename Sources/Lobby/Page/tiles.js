// The pictures of the others: one tile for each stream, or for a participant who publishes none.

import { connectionWords, initials } from "./words.js";

const LOUD = 0.02;
const GAP = 12;

// Events: "silenced" when the browser wants a tap before it plays sound; "call" and "command" (detail: an id).
export class Tiles extends EventTarget {
  #grid;
  #template;
  #tiles = new Map();
  #self;
  #pinned = null;
  #speaker = "";
  #volumes = 1;
  // What a tile offers: functions of a peer.
  mayCall = () => false;
  mayCommand = () => false;
  // Whose sound is played: a function of a peer.
  hears = () => true;
  #partner = null;

  // self: the tile with our own picture. It lies over a single other's picture and stands in the row of several.
  constructor(grid, template, self) {
    super();
    this.#grid = grid;
    this.#template = template;
    this.#self = self;
    new ResizeObserver(() => this.layOut()).observe(grid);
  }

  get count() { return this.#tiles.size; }

  // The id of whom we are in a call with, or null: its picture is large.
  set partner(id) {
    if (id === this.#partner) return;
    if (this.#tiles.get(this.#pinned)?.peer.id === this.#partner) this.#pinned = null;
    this.#partner = id;
    if (id) this.#pin(id);
  }

  #pin(id) {
    this.#pinned = [...this.#tiles.values()].find((tile) => tile.peer.id === id)?.key ?? null;
  }

  // Brings the tiles in line with the peers; elements that stay are not touched, so that nothing flickers.
  show(peers) {
    const wanted = new Map();
    for (const peer of peers) {
      const streams = [...peer.streams.values()];
      if (streams.length === 0) wanted.set(peer.id, { peer, stream: null });
      for (const stream of streams) wanted.set(`${peer.id} ${stream.id}`, { peer, stream });
    }
    // A participant that begins to publish is the same one in another tile.
    let pinned = null;
    for (const [key, tile] of this.#tiles) {
      if (wanted.has(key)) continue;
      tile.element.remove();
      this.#tiles.delete(key);
      if (this.#pinned === key) pinned = tile.peer.id;
    }
    for (const [key, { peer, stream }] of wanted) {
      if (!this.#tiles.has(key)) this.#tiles.set(key, this.#make(key));
      this.#update(this.#tiles.get(key), peer, stream);
    }
    if (pinned) this.#pin(pinned);
    this.layOut();
  }

  // Marks who speaks.
  showLevels() {
    for (const tile of this.#tiles.values()) {
      const isLoud = tile.hasAudio && !tile.isMuted && tile.peer.level() > LOUD;
      if (isLoud) tile.loudUntil = performance.now() + 600;
      tile.element.classList.toggle("speaking", performance.now() < (tile.loudUntil ?? 0));
    }
  }

  // Plays what the browser held back; call it from a tap.
  playAll() {
    for (const tile of this.#tiles.values()) this.#play(tile);
  }

  async useSpeaker(deviceId) {
    this.#speaker = deviceId;
    for (const tile of this.#tiles.values()) await this.#route(tile);
  }

  // How loud everybody is, 0 … 1.
  set volume(volume) {
    this.#volumes = volume;
    for (const tile of this.#tiles.values()) tile.audio.volume = volume;
  }

  videoOf(id) {
    return [...this.#tiles.values()].find((tile) => tile.peer.id === id)?.video ?? null;
  }

  #make(key) {
    const element = this.#template.content.firstElementChild.cloneNode(true);
    const part = (name) => element.querySelector(name);
    const tile = {
      element, key, video: part("video"), audio: part("audio"), initials: part(".initials"),
      state: part(".tile-state"), name: part(".name"), details: part(".details"), enlarge: part(".enlarge"),
      call: part(".call-button"), more: part(".more"),
      peer: null, stream: null, hasAudio: false, isMuted: false,
    };
    tile.audio.volume = this.#volumes;
    tile.call.onclick = () => this.dispatchEvent(new CustomEvent("call", { detail: tile.peer.id }));
    tile.more.onclick = () => this.dispatchEvent(new CustomEvent("command", { detail: tile.peer.id }));
    tile.video.onresize = () => {
      if (tile.peer) this.#update(tile, tile.peer, tile.stream);
      this.layOut();
    };
    tile.enlarge.onclick = () => {
      this.#pinned = this.#pinned === key ? null : key;
      this.layOut();
    };
    this.#grid.insertBefore(element, this.#self);
    this.#route(tile);
    return tile;
  }

  #update(tile, peer, stream) {
    tile.peer = peer;
    tile.stream = stream;
    const audio = peer.track("audio", stream?.id);
    const video = stream?.hasVideo !== false ? peer.track("video", stream?.id) : null;
    this.#attach(tile, tile.audio, audio);
    this.#attach(tile, tile.video, video);
    tile.hasAudio = !!audio;
    tile.audio.muted = !this.hears(peer);
    tile.isMuted = !stream?.hasAudio || stream.audioMuted;
    const hidesPicture = !stream || !stream.hasVideo || stream.videoMuted;
    const hasPicture = !hidesPicture && tile.video.videoWidth > 0;
    const state = connectionWords(peer.state, peer.isLost);
    const onlyListens = !stream && (peer.participant.role === "audience" || !peer.participant.canPublish);
    const weak = peer.quality === "bad" ? "Weak connection" : "";
    tile.element.dataset.participant = peer.id;
    tile.element.classList.toggle("without-picture", !hasPicture);
    tile.element.classList.toggle("muted", !!stream && tile.isMuted);
    tile.element.classList.toggle("listening", onlyListens);
    tile.element.classList.toggle("interrupted", !!state && peer.state !== "connected");
    tile.element.classList.toggle("in-call", peer.id === this.#partner);
    tile.call.hidden = !this.mayCall(peer);
    tile.call.setAttribute("aria-label", `Call ${peer.name}`);
    tile.more.hidden = !this.mayCommand(peer);
    tile.more.setAttribute("aria-label", `What ${peer.name} shall do`);
    tile.initials.textContent = initials(peer.name);
    tile.name.textContent = peer.name;
    tile.state.textContent = state || weak || (stream?.hasVideo && stream.videoMuted ? "Camera off" : "");
    const facts = [
      onlyListens ? "listening only" : stream && tile.isMuted ? "muted" : "",
      stream?.hasVideo && stream.videoMuted ? "camera off" : "",
      state || weak,
    ].filter(Boolean);
    tile.details.textContent = facts.length ? `, ${facts.join(", ")}` : "";
    tile.element.setAttribute("aria-label", [peer.name, ...facts].join(", "));
    tile.video.setAttribute("aria-label", `Picture of ${peer.name}`);
  }

  // The last picture stays while a track is being replaced.
  #attach(tile, element, track) {
    const current = element.srcObject?.getTracks()[0] ?? null;
    if (track === current || !track) return;
    element.srcObject = new MediaStream([track]);
    this.#play(tile);
  }

  #play(tile) {
    // Not one after the other: a picture that never comes must not hold back the sound.
    return Promise.all([tile.video, tile.audio].filter((element) => element.srcObject).map(async (element) => {
      try {
        await element.play();
      } catch (error) {
        if (error.name === "NotAllowedError") this.dispatchEvent(new Event("silenced"));
      }
    }));
  }

  async #route(tile) {
    try {
      if (this.#speaker || tile.audio.sinkId) await tile.audio.setSinkId?.(this.#speaker);
    } catch {
      // That speaker is gone; the usual one is used.
    }
  }

  // Finds the number of columns that gives the largest pictures.
  layOut() {
    const shown = [...this.#tiles.values()];
    const isOver = shown.length < 2;
    const count = shown.length + (isOver ? 0 : 1);
    this.#self.classList.toggle("over", isOver);
    const pinned = shown.length > 1 ? this.#tiles.get(this.#pinned) : undefined;
    this.#grid.classList.toggle("has-pinned", !!pinned);
    for (const tile of shown) {
      tile.element.classList.toggle("pinned", tile === pinned);
      tile.enlarge.hidden = shown.length < 2;
      const words = tile === pinned ? "Show everyone at the same size" : `Enlarge ${tile.peer?.name ?? ""}`;
      tile.enlarge.setAttribute("aria-label", words);
    }
    if (pinned || shown.length === 0) return;
    const width = this.#grid.clientWidth, height = this.#grid.clientHeight;
    const aspect = this.#aspect(shown);
    let best = { columns: 1, width: 0 };
    for (let columns = 1; columns <= count; columns++) {
      const rows = Math.ceil(count / columns);
      const tileWidth = Math.min(
        (width - GAP * (columns - 1)) / columns, ((height - GAP * (rows - 1)) / rows) * aspect);
      if (tileWidth > best.width) best = { columns, width: tileWidth };
    }
    const tileWidth = Math.max(80, Math.floor(best.width));
    this.#grid.style.setProperty("--tile-width", `${tileWidth}px`);
    this.#grid.style.setProperty("--tile-height", `${Math.floor(tileWidth / aspect)}px`);
    this.#grid.style.setProperty("--row-width", `${best.columns * tileWidth + GAP * (best.columns - 1)}px`);
  }

  // The middle of the pictures' shapes, within reason; so one door station's picture fills its tile.
  #aspect(shown) {
    const shapes = shown.map(({ video }) => video.videoWidth / video.videoHeight).filter((shape) => shape > 0);
    if (shapes.length === 0) return 4 / 3;
    shapes.sort((a, b) => a - b);
    return Math.min(16 / 9, Math.max(3 / 4, shapes[Math.floor(shapes.length / 2)]));
  }
}
