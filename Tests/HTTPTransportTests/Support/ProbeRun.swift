import Foundation
import TestSupport

/// How a fetch by the probe, a process of its own, went.
struct ProbeRun: Sendable {
    let code: String
    let wireBytes: Int
    let decodedBytes: Int
    let peakMiB: Int
    let milliseconds: Int

    init(_ url: String, _ arguments: String...) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.program
        process.arguments = [url] + (arguments.isEmpty ? ["discard"] : arguments)
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitForEnd()
        let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard numbers.count == 4 else { throw CocoaError(.executableLoad) }
        code = String(words[0])
        (wireBytes, decodedBytes) = (numbers[0], numbers[1])
        (peakMiB, milliseconds) = (numbers[2] >> 10, numbers[3])
    }

    /// Beside the test bundle.
    private static var program: URL {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        let own = URL(fileURLWithPath: bundle.isEmpty ? CommandLine.arguments[0] : bundle)
        return own.deletingLastPathComponent().appendingPathComponent("transport-probe")
    }
}

/// Runs a program to its end.
func run(_ arguments: String...) throws -> [UInt8] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    guard process.waitForEnd() == 0 else { throw CocoaError(.executableLoad) }
    return Array(data)
}
