import TenureCLI
import TenureFoundation
import TenureSystem

/// nginx with the manual, on a port of its own of 127.0.0.1.
struct ManualServer: Sendable {
    let port: UInt16
    private let process: ChildProcess

    /// Debian's place comes first: a user's own PATH seldom has it.
    static var program: String? {
        ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
            .first { access($0, X_OK) == 0 }
    }

    func url(_ name: String = "") -> String { "http://127.0.0.1:\(port)/\(name)" }

    /// - Parameter folder: for its own files; it has to be there.
    static func with<Result>(
        _ manual: Manual, in folder: String, _ body: (ManualServer) async throws -> Result
    ) async throws -> Result {
        guard let program else { throw Failure("nginx is missing; install nginx-light") }
        let port = try freePort()
        let file = "\(folder)/nginx.conf"
        try Data(configuration(manual, port, folder).utf8).write(to: URL(filePath: file))
        let process = try ChildProcess(
            program: program, arguments: ["nginx", "-p", folder, "-c", file, "-e", "stderr"],
            environment: [:])
        let server = ManualServer(port: port, process: process)
        let outcome: Swift.Result<Result, any Error>
        do {
            try await server.waitUntilReady()
            outcome = .success(try await body(server))
        } catch {
            outcome = .failure(error)
        }
        process.terminate(killingAfter: .seconds(5))
        _ = await process.waitForEnd()
        return try outcome.get()
    }

    private func waitUntilReady() async throws {
        for _ in 1...500 {
            if Self.connects(to: port) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure("nginx did not answer on 127.0.0.1:\(port) within 10 s; see its errors above")
    }

    private static func configuration(_ manual: Manual, _ port: UInt16, _ folder: String) -> String
    {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "    \($0)_temp_path \(folder)/nginx-\($0);\n" }.joined()
        return """
            daemon off;
            worker_processes 1;
            pid \(folder)/nginx.pid;
            error_log stderr crit;
            events { worker_connections 1024; }
            http {
            \(temporary)
                types { text/html html; text/css css; image/svg+xml svg; image/png png; }
                access_log off;
                sendfile on;
                tcp_nodelay on;
                open_file_cache max=4000;
                keepalive_requests 1000000;
                server { listen 127.0.0.1:\(port); root \(manual.folder); }
            }
            """
    }
}

extension ManualServer {
    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocket<Result>(
        _ port: UInt16, _ body: (Int32, UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
    ) -> Result {
        let socket = System.streamSocket(AF_INET)
        defer { close(socket) }
        var address = address(port)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(socket, $0, &size) }
        }
    }

    private static func connects(to port: UInt16) -> Bool {
        withSocket(port) { connect($0, $1, $2) == 0 }
    }

    /// One that nobody has just now: nginx can't be asked which one it got.
    private static func freePort() throws -> UInt16 {
        let port: UInt16 = withSocket(0) { socket, address, size in
            guard bind(socket, address, size) == 0, getsockname(socket, address, &size) == 0
            else { return 0 }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        guard port != 0 else { throw Failure("no port of 127.0.0.1 is free; end what holds them") }
        return port
    }
}
