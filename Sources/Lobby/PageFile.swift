import WebSockets

/// A file of the browser page: `PageFile(path: "/app.js", contentType: "text/javascript; charset=utf-8", text: …)`.
typealias PageFile = HTTPFile
