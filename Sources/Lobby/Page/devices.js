// The local microphone and camera, and the one stream that is published.

const AUDIO = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
const VIDEO = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30, max: 30 } };

// Events: "change" after anything below changed.
export class LocalMedia extends EventTarget {
  // The stream's id is the stream's id in the lobby; its tracks come and go.
  stream = new MediaStream();
  // Why there is no microphone or camera although it is wanted; null when there is.
  problems = { audio: null, video: null };
  wanted = { audio: true, video: true };
  cameras = [];
  #chosen = { audio: recall("microphone"), video: recall("camera") };
  #facing = "user";
  #busy = Promise.resolve();

  constructor() {
    super();
    navigator.mediaDevices?.addEventListener("devicechange", () => {
      this.#count();
      for (const kind of ["audio", "video"]) {
        if (this.wanted[kind] && this.problems[kind]) this.#enqueue(() => this.#open(kind));
      }
    });
  }

  get microphone() { return this.stream.getAudioTracks()[0] ?? null; }
  get camera() { return this.stream.getVideoTracks()[0] ?? null; }
  get isMicrophoneOn() { return this.wanted.audio && !!this.microphone; }
  get isCameraOn() { return this.wanted.video && !!this.camera; }

  // Starts what is wanted and not running. One question to the person where the browser can ask for both at once.
  open() {
    return this.#enqueue(async () => {
      const kinds = ["audio", "video"].filter((kind) => this.wanted[kind] && !this.#track(kind));
      if (kinds.length === 2 && !(await this.#openBoth())) for (const kind of kinds) await this.#open(kind);
      else if (kinds.length === 1) await this.#open(kinds[0]);
    });
  }

  // The microphone stays open while muted, so that it comes back at once.
  setMicrophone(isOn) {
    return this.#enqueue(async () => {
      this.wanted.audio = isOn;
      if (isOn && !this.microphone) await this.#open("audio");
      if (this.microphone) this.microphone.enabled = isOn;
      this.#changed();
    });
  }

  // The camera is really closed while it is off: its light goes dark.
  setCamera(isOn) {
    return this.#enqueue(async () => {
      this.wanted.video = isOn;
      if (isOn && !this.camera) await this.#open("video");
      if (!isOn) this.#drop("video");
      this.#changed();
    });
  }

  switchCamera() {
    return this.#enqueue(async () => {
      const ids = this.cameras.map((camera) => camera.deviceId);
      const position = ids.indexOf(this.camera?.getSettings().deviceId ?? this.#chosen.video);
      this.#facing = this.#facing === "user" ? "environment" : "user";
      this.#choose("video", ids[(position + 1) % ids.length] ?? "");
      this.wanted.video = true;
      await this.#reopen("video");
    });
  }

  choose(kind, deviceId) {
    return this.#enqueue(async () => {
      this.#choose(kind, deviceId);
      if (this.wanted[kind]) await this.#reopen(kind);
    });
  }

  async list() {
    try {
      return await navigator.mediaDevices.enumerateDevices();
    } catch {
      return [];
    }
  }

  close() {
    return this.#enqueue(async () => {
      this.#drop("audio");
      this.#drop("video");
      await this.#count();
    });
  }

  // Devices are opened and closed one after the other: a browser may refuse a camera that it is still closing.
  #enqueue(job) {
    this.#busy = this.#busy.then(job, job);
    return this.#busy;
  }

  #choose(kind, deviceId) {
    this.#chosen[kind] = deviceId;
    remember(kind === "audio" ? "microphone" : "camera", deviceId);
  }

  #track(kind) { return kind === "audio" ? this.microphone : this.camera; }

  #constraints(kind) {
    const id = this.#chosen[kind];
    if (kind === "audio") return id ? { ...AUDIO, deviceId: { ideal: id } } : AUDIO;
    return id ? { ...VIDEO, deviceId: { ideal: id } } : { ...VIDEO, facingMode: this.#facing };
  }

  async #openBoth() {
    try {
      const opened = await media({ audio: this.#constraints("audio"), video: this.#constraints("video") });
      for (const track of opened.getTracks()) this.#adopt(track);
      this.problems = { audio: null, video: null };
      await this.#count();
      return true;
    } catch {
      // Which of the two it was is found by asking for each alone.
      return false;
    }
  }

  async #open(kind) {
    if (this.#track(kind)) return;
    try {
      const opened = await media({ [kind]: this.#constraints(kind) });
      this.problems[kind] = null;
      for (const track of opened.getTracks()) this.#adopt(track);
    } catch (error) {
      this.problems[kind] = error;
    }
    await this.#count();
  }

  async #reopen(kind) {
    this.#drop(kind);
    await this.#open(kind);
  }

  #adopt(track) {
    if (track.kind === "audio") track.enabled = this.wanted.audio;
    this.stream.addTrack(track);
    track.onended = () => this.#enqueue(async () => {
      // Unplugged or taken away by the browser; it is taken back when it returns.
      this.stream.removeTrack(track);
      this.problems[track.kind] = new DOMException("", "NotReadableError");
      this.#changed();
    });
    this.#changed();
  }

  #drop(kind) {
    const track = this.#track(kind);
    if (!track) return;
    track.onended = null;
    track.stop();
    this.stream.removeTrack(track);
  }

  async #count() {
    const devices = await this.list();
    this.cameras = devices.filter((device) => device.kind === "videoinput");
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

async function media(constraints) {
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("", "SecurityError");
  return navigator.mediaDevices.getUserMedia(constraints);
}

// Storage may be forbidden: then nothing is remembered.
export function recall(key) {
  try {
    return localStorage.getItem(`callbox.${key}`) ?? "";
  } catch {
    return "";
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`callbox.${key}`, value);
  } catch {
    // Not remembered.
  }
}
