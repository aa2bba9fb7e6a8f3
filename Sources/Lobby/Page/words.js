// Everything that is said to people, in one place and in plain words.

// problems: {audio, video}, each an exception or nothing. Empty when there is no problem.
export function deviceWords({ audio, video }) {
  if (audio && video && (audio.name === video.name || !window.isSecureContext)) {
    return problemWords("microphone and camera", audio, true);
  }
  return [audio && problemWords("microphone", audio), video && problemWords("camera", video)].filter(Boolean).join(" ");
}

function problemWords(thing, error, areTwo = false) {
  if (!window.isSecureContext) {
    return `The browser only gives the ${thing} to pages opened by https or on this computer itself.`;
  }
  switch (error.name) {
    case "NotAllowedError":
    case "SecurityError":
      return `The browser was not allowed to use the ${thing}. `
        + `Allow it beside the address, then turn ${areTwo ? "them" : "it"} on here.`;
    case "NotFoundError":
    case "OverconstrainedError":
      return areTwo ? "There is no microphone and no camera on this device." : `There is no ${thing} on this device.`;
    case "NotReadableError":
    case "AbortError":
      return `The ${thing} ${areTwo ? "are" : "is"} busy: another program uses ${areTwo ? "them" : "it"}.`;
    default:
      return `The ${thing} could not be started.`;
  }
}

export function lobbyErrorWords(code, text) {
  const known = {
    refusedToken: "The access token was refused. It may have expired or be meant for another room.",
    roomFull: "The room is full.",
    lobbyFull: "The lobby is full: it has as many rooms as it can hold.",
    notPermitted: "Your access token does not allow that.",
    streamIDTaken: "Your stream is published by somebody else already.",
    badMessage: "The lobby did not understand this page. Reload it.",
  };
  return known[code] ?? `The lobby refused: ${text || code}.`;
}

// What a closed connection means: the words, and whether trying again by itself makes sense.
export function closeWords(code) {
  switch (code) {
    case 1000: return { words: "You left the room.", retry: "never" };
    case 1001: return { words: "The lobby is restarting.", retry: "soon" };
    case 1003: case 1007: case 1009:
      return { words: "The lobby did not understand this page. Reload it.", retry: "never" };
    case 4400: return { words: "The lobby closed the connection.", retry: "slowly" };
    case 4401: return { words: "The access token was refused.", retry: "never" };
    case 4403: return { words: "You were removed from the room.", retry: "never" };
    case 4409: return { words: "You joined this room somewhere else.", retry: "never" };
    case 4429: return { words: "The lobby has too much to do.", retry: "slowly" };
    default: return { words: "The lobby cannot be reached.", retry: "soon" };
  }
}

// What a participant's tile says while there is nothing better to show; empty when all is well.
export function connectionWords(state, isLost) {
  switch (state) {
    case "connected": return isLost ? "Not in the room just now" : "";
    case "waiting": case "new": case "connecting": return "Connecting…";
    case "disconnected": return "Connection interrupted…";
    case "failed": return "No connection. Trying again…";
    case "closed": return "Disconnected";
    default: return "";
  }
}

export function leftWords(name, reason) {
  switch (reason) {
    case "kicked": return `${name} was removed from the room.`;
    case "connectionLost": case "timedOut": return `${name} lost the connection.`;
    default: return `${name} left.`;
  }
}

// How a call ended, for the person here. wasIncoming: the other side had called.
export function callEndWords(name, reason, wasIncoming) {
  switch (reason) {
    case "hungUp": return `${name} hung up.`;
    case "declined": return wasIncoming ? `You declined the call from ${name}.` : `${name} declined.`;
    case "busy": return wasIncoming ? `${name} called while you were in a call.` : `${name} is busy.`;
    case "cancelled": return wasIncoming ? `${name} called and gave up.` : "You cancelled the call.";
    case "timedOut": return wasIncoming ? `You missed a call from ${name}.` : `${name} did not answer.`;
    case "offline": return `${name} is not in the room.`;
    case "lost": return `The connection to ${name} was lost.`;
    case "answeredElsewhere": return `Somebody else answered ${name}.`;
    default: return "The call has ended.";
  }
}

export function callErrorWords(code) {
  switch (code) {
    case "busy": return "There is a call already.";
    case "roomNotJoined": return "There is no connection to the lobby just now.";
    default: return "There is nobody to call.";
  }
}

export function initials(name) {
  const parts = name.trim().split(/\s+/).filter(Boolean);
  const letters = parts.length > 1 ? [parts[0], parts[parts.length - 1]] : parts;
  return letters.map((part) => [...part][0]).join("").toUpperCase() || "?";
}

export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return (hours ? `${hours}:` : "") + `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
