// The dialog in which microphone, camera and speaker are chosen.

import { recall, remember } from "./devices.js";

const WORDS = { audioinput: "Microphone", videoinput: "Camera", audiooutput: "Speaker" };

// useSpeaker: called with the id of the chosen speaker.
export function makeChooser(dialog, media, useSpeaker) {
  const select = (kind) => dialog.querySelector(`#choose-${kind}`);
  select("audioinput").onchange = (event) => media.choose("audio", event.target.value);
  select("videoinput").onchange = (event) => media.choose("video", event.target.value);
  select("audiooutput").onchange = (event) => {
    remember("speaker", event.target.value);
    useSpeaker(event.target.value);
  };
  useSpeaker(recall("speaker"));
  return async () => {
    await fill(media, select);
    dialog.querySelector("#speaker-field").hidden = !("setSinkId" in HTMLMediaElement.prototype);
    dialog.showModal();
  };
}

async function fill(media, select) {
  const devices = await media.list();
  const used = {
    audioinput: media.microphone?.getSettings().deviceId,
    videoinput: media.camera?.getSettings().deviceId,
    audiooutput: recall("speaker"),
  };
  for (const [kind, word] of Object.entries(WORDS)) {
    const options = devices
      .filter((device) => device.kind === kind && device.deviceId)
      .map((device, index) =>
        new Option(device.label || `${word} ${index + 1}`, device.deviceId, false, device.deviceId === used[kind]));
    select(kind).replaceChildren(...(options.length ? options : [new Option(`No ${word.toLowerCase()} found`, "")]));
    select(kind).disabled = options.length === 0;
  }
}
