"""A page of the demo: the screens of both endpoints as they are now, and their LEDs. For this machine only, and only to look."""

import http.server
import json
import os
import threading

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The demo's screens</title>
<style>
  :root { color-scheme: dark; font: 16px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
  body { margin: 0; padding: 20px; background: #0d1216; color: #e8eef2; }
  main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); gap: 24px; max-width: 1400px; margin: auto; }
  h2 { margin: 0 0 8px; font-size: 20px; }
  img { width: 100%; aspect-ratio: 4 / 3; object-fit: contain; border-radius: 14px; background: #05080a; display: block; }
  ul { list-style: none; display: flex; flex-wrap: wrap; gap: 8px 20px; margin: 14px 0 0; padding: 0; font-size: 14px; color: #a9b7c2; }
  li { display: flex; align-items: center; gap: 8px; }
  li::before { content: ""; width: 16px; height: 16px; border-radius: 50%; background: #2c3842; }
  li.lit { color: #e8eef2; }
  li.lit::before { background: var(--colour); box-shadow: 0 0 12px var(--colour); }
  p { max-width: 1400px; margin: 24px auto 0; color: #a9b7c2; }
  a { color: #4cc2a8; }
</style>
<main id="screens"></main>
<p>Join the same room from this browser: <a href="ROOM">ROOM</a></p>
<script>
  const colours = { power: "#e8eef2", room: "#4cc2a8", call: "#5aa2ff", microphone: "#ff7d74", picture: "#f0b95a", lock: "#d58cff" };
  const screens = document.getElementById("screens");
  async function show() {
    try {
      const endpoints = await (await fetch("state")).json();
      for (const [id, { name, lights }] of Object.entries(endpoints)) {
        let section = document.getElementById(id);
        if (!section) {
          section = document.createElement("section");
          section.id = id;
          section.innerHTML = "<h2></h2><img alt=''><ul></ul>";
          section.querySelector("h2").textContent = section.querySelector("img").alt = `The screen of ${name}`;
          screens.append(section);
        }
        const next = new Image();
        next.onload = () => { section.querySelector("img").src = next.src; };
        next.src = `${id}.png?${Date.now()}`;
        section.querySelector("ul").replaceChildren(...lights.map(({ name, words, lit }) => {
          const item = document.createElement("li");
          item.textContent = words;
          item.className = lit ? "lit" : "";
          item.style.setProperty("--colour", colours[name] ?? "#fff");
          return item;
        }));
      }
    } catch {
      // The demo has ended.
    }
    setTimeout(show, 250);
  }
  show();
</script>
</html>
"""


class Screens:
    """Serves the page; `lights` is set by the demo: {participant: {"name": …, "lights": [{"name", "words", "lit"}]}}."""

    def __init__(self, port, room_link, endpoints):
        self.lights = {}
        self.page = PAGE.replace("ROOM", room_link)
        self.pictures = {f"/{one.participant}.png": os.path.join(one.snapshot_folder, "latest.png") for one in endpoints}
        handler = type("Handler", (Handler,), {"screens": self})
        try:
            self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        except OSError:
            # Any other port will do.
            self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.link = f"http://localhost:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    screens = None

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/":
            self.reply("text/html; charset=utf-8", self.screens.page.encode())
        elif path == "/state":
            self.reply("application/json", json.dumps(self.screens.lights).encode())
        elif path in self.screens.pictures:
            try:
                with open(self.screens.pictures[path], "rb") as file:
                    self.reply("image/png", file.read())
            except OSError:
                self.send_error(404)
        else:
            self.send_error(404)

    def reply(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """The terminal belongs to the demo."""
