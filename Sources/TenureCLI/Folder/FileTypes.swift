import Content

/// The media types of files, by their endings.
enum FileTypes {
    /// Markdown of a site is nothing to read links from: a browser shows it as it is written.
    static func mediaType(of file: String, in folder: SiteFolder) -> String {
        let type = mediaType(of: file)
        return folder.holdsMarkdown || !type.hasPrefix("text/markdown")
            ? type : "text/plain; charset=utf-8"
    }

    private static func mediaType(of file: String) -> String {
        let name = file.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            return "text/plain; charset=utf-8"
        }
        return byEnding[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }

    /// Pages come without a charset: theirs is in the document.
    private static let byEnding = [
        "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml",
        "css": "text/css", "js": "text/javascript", "mjs": "text/javascript",
        "json": "application/json", "map": "application/json", "xml": "application/xml",
        "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8",
        "markdown": "text/markdown; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "ico": "image/x-icon", "avif": "image/avif",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "pdf": "application/pdf", "gz": "application/gzip", "zip": "application/zip",
        "epub": "application/epub+zip", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "webm": "video/webm", "ogg": "audio/ogg", "wasm": "application/wasm",
        "atom": "application/atom+xml", "rss": "application/rss+xml",
    ]
}
