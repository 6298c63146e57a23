package import Foundation

/// A real mail server on 127.0.0.1, where `bin/setup --tests` has put one: `Tests/Mail/server.py`.
package final class MailServer: @unchecked Sendable {  // the process is touched at both ends alone
    package static let python: String = {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? environment["HOME"].map { $0 + "/.cache" }
        return (cache ?? "") + "/tenure/aiosmtpd-1.4.6/bin/python"
    }()
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    /// A message as the server's parser read it.
    package struct Message: Decodable, Sendable {
        package let taken: Bool
        package let sender: String
        package let recipient: String
        package let encrypted: Bool
        package let user: String?
        package let headers: [String: String]
        package let text: String
        /// Of its lines, in bytes.
        package let longest: Int
        package let defects: [String]
        package let raw: Data
    }

    package let port: Int
    private let process = Process()
    private let log: URL

    package var url: String { "smtp://127.0.0.1:\(port)" }

    /// - Parameter options: as the script says.
    package convenience init(_ options: String...) throws { try self.init(options: options) }

    package init(options: [String]) throws {
        log = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)")
        let output = Pipe()
        process.executableURL = URL(filePath: Self.python)
        process.arguments = [Self.script, "--log", log.path()] + options
        process.standardOutput = output
        try process.run()
        var seen = ""
        while !seen.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.executableLoad) }
            seen += String(decoding: data, as: UTF8.self)
        }
        guard let port = Int(seen.dropLast()) else { throw CocoaError(.executableLoad) }
        self.port = port
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitForEnd()
        try? FileManager.default.removeItem(at: log)
    }

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Mail/server.py").path()

    /// All that came in whole, whether it was taken or not.
    package var messages: [Message] {
        get throws {
            try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map {
                try JSONDecoder().decode(Message.self, from: Data($0.utf8))
            }
        }
    }
}
