// The address of the page: #/ROOM, #/ROOM?name=…&token=…&mode=…&join=1; role=audience means mode=listen. A token is kept
// for as long as the tab lives.

export function roomAddress(room) {
  return `${location.pathname}${location.search}#/${encodeURIComponent(room)}`;
}

export function readAddress() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  let room = path;
  try {
    room = decodeURIComponent(path);
  } catch {
    // Then the room is called as it stands there.
  }
  const values = new URLSearchParams(query ?? "");
  if (values.get("token")) {
    // A secret must not stay where everybody who sees the screen can read it.
    keepToken(room, values.get("token"));
    history.replaceState(null, "", roomAddress(room));
  }
  // Before the # it is as good: links are written by hand.
  const asked = (key) => values.get(key) ?? new URLSearchParams(location.search).get(key);
  const mode = asked("role") === "audience" ? "listen" : asked("mode");
  return {
    room, token: keptToken(room), name: values.get("name") ?? "", joins: values.get("join") === "1",
    mode: ["auto", "on-call", "listen"].includes(mode) ? mode : "",
  };
}

// Storage may be forbidden: then the token lives as long as the page.
const tokens = new Map();

export function keepToken(room, token) {
  tokens.set(room, token);
  try {
    if (token) sessionStorage.setItem(`callbox.token.${room}`, token);
    else sessionStorage.removeItem(`callbox.token.${room}`);
  } catch {
    // It is asked for again after a reload.
  }
}

function keptToken(room) {
  try {
    return sessionStorage.getItem(`callbox.token.${room}`) ?? tokens.get(room) ?? "";
  } catch {
    return tokens.get(room) ?? "";
  }
}
