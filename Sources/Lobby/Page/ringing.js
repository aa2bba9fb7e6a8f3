// The tones of a call, made here: ring, ring-back and busy.

// frequencies sound together; sounds: seconds on and off in turn; trembles: how often a second the tone swells.
const TONES = {
  ring: { frequencies: [760, 950], sounds: [0.4, 0.2, 0.4, 2], trembles: 22, volume: 0.6, isEndless: true },
  ringBack: { frequencies: [425], sounds: [1, 4], trembles: 0, volume: 0.4, isEndless: true },
  busy: { frequencies: [425], sounds: [0.4, 0.4, 0.4, 0.4, 0.4, 0.4], trembles: 0, volume: 0.4, isEndless: false },
};
// So that nothing clicks.
const EDGE = 0.012;

export class Ringing {
  #context = null;
  #source = null;
  #speaker = "";
  #playing = null;

  // What sounds now: a name of TONES, or null.
  get playing() { return this.#playing; }
  // The browser holds the sound back until the page has been touched.
  get isHeldBack() { return !!this.#playing && this.#context?.state !== "running"; }

  // Call it from a tap or key, so that a later call may ring.
  unlock() {
    this.#open();
    this.#context?.resume().catch(() => {});
  }

  // tone: a name of TONES, or null for silence.
  play(tone) {
    if (tone === this.#playing) return;
    this.#source?.stop();
    this.#source = null;
    this.#playing = tone;
    if (!tone) return;
    this.#open();
    if (!this.#context) return;
    this.#context.resume().catch(() => {});
    const source = new AudioBufferSourceNode(this.#context, { buffer: this.#render(TONES[tone]) });
    source.loop = TONES[tone].isEndless;
    source.onended = () => { if (this.#source === source) this.#playing = this.#source = null; };
    source.connect(this.#context.destination);
    source.start();
    this.#source = source;
  }

  async useSpeaker(deviceId) {
    this.#speaker = deviceId;
    try {
      await this.#context?.setSinkId?.(deviceId);
    } catch {
      // That speaker is gone; the usual one rings.
    }
  }

  #open() {
    if (this.#context || !("AudioContext" in window)) return;
    this.#context = new AudioContext();
    if (this.#speaker) this.useSpeaker(this.#speaker);
  }

  // One round of a tone.
  #render({ frequencies, sounds, trembles, volume }) {
    const rate = this.#context.sampleRate;
    const buffer = new AudioBuffer({ length: Math.round(rate * sounds.reduce((a, b) => a + b)), sampleRate: rate });
    const samples = buffer.getChannelData(0);
    let begin = 0;
    sounds.forEach((seconds, index) => {
      const count = Math.round(seconds * rate);
      for (let i = 0; index % 2 === 0 && i < count; i++) {
        const time = i / rate;
        const edge = Math.min(1, time / EDGE, (seconds - time) / EDGE);
        const swell = trembles ? 0.6 + 0.4 * Math.sin(2 * Math.PI * trembles * time) : 1;
        const sum = frequencies.reduce((total, frequency) => total + Math.sin(2 * Math.PI * frequency * time), 0);
        samples[begin + i] = volume * edge * swell * sum / frequencies.length;
      }
      begin += count;
    });
    return buffer;
  }
}
