import TenureSystem

/// What a process says on its metrics port.
enum Scrape {
    typealias Answer = (status: Int, body: String)

    static func get(_ port: UInt16, _ path: String, _ fields: [String] = []) -> Answer? {
        ask("GET", port, path, fields)
    }

    /// What a form sends.
    static func post(
        _ port: UInt16, _ path: String, _ body: String, _ fields: [String] = []
    ) -> Answer? {
        let more = [
            "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)",
        ]
        return ask("POST", port, path, fields + more, body)
    }

    /// A request over a plain socket; nil when nobody listens.
    private static func ask(
        _ method: String, _ port: UInt16, _ path: String, _ fields: [String], _ body: String = ""
    ) -> Answer? {
        let socket = System.streamSocket(AF_INET)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return nil }
        let request = Array(
            (["\(method) \(path) HTTP/1.1", "Host: localhost:\(port)", "Connection: close"] + fields
                + ["", body]).joined(separator: "\r\n").utf8)
        _ = send(socket, request, request.count, 0)
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &bytes, bytes.count, 0)
            if count <= 0 { break }
            all += bytes[..<count]
        }
        let text = String(decoding: all, as: UTF8.self)
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return status.map { ($0, parts.count > 1 ? parts[1] : "") }
    }
}
