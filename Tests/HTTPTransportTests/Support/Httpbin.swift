import Foundation
import TestSupport

/// httpbin, where `bin/setup --tests` has put it.
final class Httpbin {
    static let python: String = {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? environment["HOME"].map { $0 + "/.cache" }
        return (cache ?? "") + "/tenure/httpbin-0.10.4/bin/python"
    }()
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    let url: String
    private let process = Process()

    init() throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["-c", Self.script]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var seen = ""
        while !seen.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.executableLoad) }
            seen += String(decoding: data, as: UTF8.self)
        }
        url = "http://127.0.0.1:" + seen.dropLast()
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitForEnd()
    }

    private static let script = """
        from httpbin import app
        from werkzeug.serving import make_server, WSGIRequestHandler
        WSGIRequestHandler.protocol_version = 'HTTP/1.1'
        server = make_server('127.0.0.1', 0, app, threaded=True)
        print(server.port, flush=True)
        server.serve_forever()
        """
}
