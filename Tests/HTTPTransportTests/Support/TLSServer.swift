import Foundation
import TenureSystem
import TestSupport

/// `openssl s_server`, which answers any request with a page about the connection.
final class TLSServer {
    let port: Int
    private let process = Process()

    init(_ certificates: Certificates, _ name: String, options: [String] = []) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www"]
            + ["-cert", certificates.path(name + ".pem"), "-key", certificates.path("leaf.key")]
            + options
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var seen = ""
        while !seen.contains("ACCEPT") || !seen.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.executableLoad) }
            seen += String(decoding: data, as: UTF8.self)
        }
        let digits = seen.split(separator: "\n").last?.split(separator: ":").last ?? ""
        guard let port = Int(digits) else { throw CocoaError(.executableLoad) }
        self.port = port
    }

    deinit {
        process.end()
    }
}

/// nginx, for HTTP/2; answers with its folder's files.
final class NginxServer {
    static let path = "/usr/sbin/nginx"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    let port: Int
    private let process = Process()

    init(_ certificates: Certificates) throws {
        let (listener, port) = try TestServer.listen(1)
        close(listener)
        self.port = port
        let file = certificates.path("nginx.conf")
        try Self.configuration(certificates, port).write(
            toFile: file, atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = ["-c", file, "-p", certificates.folder.path, "-e", "stderr"]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        process.end()
    }

    /// It says nothing when it does.
    func waitUntilListening() async throws {
        for _ in 0..<250 {
            let descriptor = System.streamSocket(AF_INET)
            defer { close(descriptor) }
            var address = TestServer.loopback(port: port)
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if code == 0 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw CocoaError(.executableLoad)
    }

    private static func configuration(_ certificates: Certificates, _ port: Int) -> String {
        """
        daemon off; master_process off; pid nginx.pid;
        events {}
        http {
            access_log off;
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi; scgi_temp_path scgi;
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(certificates.path("good.pem"));
                ssl_certificate_key \(certificates.path("leaf.key"));
                root \(certificates.folder.path);
                location = /connection { return 200 "$connection"; }
            }
        }
        """
    }
}

extension Process {
    /// By force: a child of one of Dispatch's threads has SIGTERM blocked.
    fileprivate func end() {
        kill(processIdentifier, SIGKILL)
        waitForEnd()
    }
}
