/// The browser page's files.
enum PageAssets {
    static let files: [PageFile] = [
        PageFile(
            path: "/", contentType: "text/html; charset=utf-8",
            text: "<!doctype html><title>Callbox</title><p>The page is not built in.</p>")
    ]
}
