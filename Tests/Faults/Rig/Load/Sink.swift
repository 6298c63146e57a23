import ArgumentParser
import FaultSupport
import Tenure
import TenureSystem
import TenureWorker

/// The outside world's address: a datagram socket, one datagram an effect.
struct SinkAddress: Sendable {
    let path: String
    private let descriptor: Int32

    init(_ path: String) {
        self.path = path
        descriptor = System.datagramSocket(AF_UNIX)
    }

    func send(_ context: JobContext) {
        let line = JSONValue.object([
            ("job", .string("\(context.jobID)")), ("fence", .integer(context.fence.rawValue)),
            ("generation", context.generation.map { .integer($0.rawValue) }),
            ("key", context.key.map { .string($0) }), ("sent", .number(bootTime())),
        ]).text
        let count = line.withCString { text in
            Self.withAddress(path) { sendto(descriptor, text, strlen(text), 0, $0, $1) }
        }
        // An effect that didn't reach the sink would be a hole in the recording.
        precondition(count > 0, "the sink can't be reached: errno \(errno)")
    }

    fileprivate static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }
}

/// The outside world: takes effects in, in the order in which they arrive, until its parent ends.
struct Sink {
    let path: String
    let log: LineFile

    func run() throws {
        let descriptor = System.datagramSocket(AF_UNIX)
        unlink(path)
        guard SinkAddress.withAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw ProcessFailure(what: "bind \(path)", errno: errno)
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { continue }
            let fields = String(decoding: buffer[1..<count], as: UTF8.self)
            log.write(line: "{\"boot\":\(bootTime()),\(fields)")
        }
    }
}

struct SinkRole: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sink", shouldDisplay: false)
    @Option var socket: String
    @Option var log: String

    func run() throws {
        ParentWatch.start()
        try Sink(path: socket, log: LineFile(log)).run()
    }
}
