import Foundation
import HTTPTransport

/// Fetches one URL in a process of its own, so that its memory can be measured: prints how it
/// ended, what came, the most memory it had, and how long it took.
///
///     transport-probe URL [discard|collect] [LIMIT=VALUE …]
///     transport-probe bench URL SECONDS CONCURRENCY
private struct Probe {
    let request: HTTPRequest
    let collects: Bool

    init(_ arguments: [String]) throws {
        var limits = HTTPLimits()
        for argument in arguments.dropFirst(2) {
            let parts = argument.split(separator: "=")
            guard parts.count == 2, let value = Int(parts[1]) else { throw Misuse() }
            switch parts[0] {
            case "total": limits.total = .milliseconds(value)
            case "stall": limits.stall = .milliseconds(value)
            case "firstByte": limits.firstByte = .milliseconds(value)
            case "encodings": limits.encodings = value
            default: throw Misuse()
            }
        }
        guard let url = arguments.first else { throw Misuse() }
        collects = arguments.dropFirst().first == "collect"
        request = HTTPRequest(
            url: url, limits: limits,
            allowsAddresses: AddressPolicy(allowed: [try CIDR("127.0.0.0/8")]))
    }

    struct Misuse: Error {}

    func run() async throws {
        let transport = try CurlTransport(CurlConfiguration(userAgent: "TenureTests/1"))
        let start = ContinuousClock.now
        var code = "ok"
        var progress = HTTPBodyProgress()
        do {
            let response = try await transport.send(request)
            defer { progress = response.body.progress }
            if collects {
                _ = try await response.body.collect(limit: .max)
            } else {
                for try await _ in response.body {}
            }
        } catch let error as HTTPTransportError {
            code = error.code.rawValue
        }
        let took = Int((ContinuousClock.now - start) / .milliseconds(1))
        print(code, progress.wireBytes, progress.decodedBytes, try peakKiB(), took)
    }

    /// The kernel's own figure, which misses nothing between two looks.
    private func peakKiB() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if let bench = ProbeBench(arguments) {
    try await bench.run()
} else {
    try await Probe(arguments).run()
}
