import Foundation

/// A real name server on 127.0.0.1, which knows names below `test` and no others: dnsmasq.
package final class NameServer: @unchecked Sendable {  // the process is touched at both ends alone
    package static let program = "/usr/sbin/dnsmasq"
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    package let port: UInt16
    private let process = Process()

    /// - Parameter records: as dnsmasq's options have them, `mx-host=a.test,mail.a.test,10`.
    package init(_ records: [String]) throws {
        port = UInt16.random(in: 20_000...30_000)
        let output = Pipe()
        process.executableURL = URL(filePath: Self.program)
        process.arguments =
            [
                "--keep-in-foreground", "--log-facility=-", "--conf-file=/dev/null",
                "--port=\(port)", "--listen-address=127.0.0.1", "--bind-interfaces",
                "--no-resolv", "--no-hosts", "--user=root", "--pid-file=", "--local=/test/",
            ] + records.map { "--" + $0 }
        process.standardError = output
        try process.run()
        var seen = ""
        while !seen.contains("locally-known addresses for test") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.executableLoad) }
            seen += String(decoding: data, as: UTF8.self)
        }
    }

    deinit {
        // Children of Foundation's have SIGTERM blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitForEnd()
    }
}
