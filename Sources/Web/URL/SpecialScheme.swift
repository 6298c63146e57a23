/// The schemes with rules of their own: slashes, hosts, default ports.
enum SpecialScheme: Sendable {
    case ftp, file, http, https, ws, wss

    init?(_ scheme: some Collection<UInt8>) {
        if scheme.elementsEqual("https".utf8) {
            self = .https
        } else if scheme.elementsEqual("http".utf8) {
            self = .http
        } else if scheme.elementsEqual("file".utf8) {
            self = .file
        } else if scheme.elementsEqual("ftp".utf8) {
            self = .ftp
        } else if scheme.elementsEqual("ws".utf8) {
            self = .ws
        } else if scheme.elementsEqual("wss".utf8) {
            self = .wss
        } else {
            return nil
        }
    }

    var defaultPort: UInt16? {
        switch self {
        case .ftp: 21
        case .file: nil
        case .http, .ws: 80
        case .https, .wss: 443
        }
    }
}
