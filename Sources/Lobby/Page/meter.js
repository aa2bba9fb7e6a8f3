// Shows how loud the microphone is, before joining.

export class Meter {
  #element;
  #running = null;

  constructor(element) {
    this.#element = element;
  }

  // track: the microphone, or null to stop.
  show(track) {
    if ((this.#running?.track ?? null) === track) return;
    if (this.#running) {
      clearInterval(this.#running.timer);
      this.#running.context.close();
      this.#running = null;
    }
    this.#element.hidden = !track;
    if (!track) return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 512;
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const bars = [...this.#element.children];
    const timer = setInterval(() => {
      if (context.state === "suspended") context.resume().catch(() => {});
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const level = Math.max(0, 1 + Math.log10(power + 1e-9) / 5);
      bars.forEach((bar, index) => bar.classList.toggle("lit", level * bars.length > index + 0.5));
    }, 80);
    this.#running = { track, context, timer };
  }
}
