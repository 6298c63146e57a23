import TenureSystem

/// A program that runs to its end, with all that it wrote.
struct Command {
    struct Result {
        let end: SupervisedProcess.End
        let output: String

        var succeeded: Bool { end == .status(0) }
    }

    /// Blocks the calling thread. A program that runs when `cancellation` is asked for is ended.
    /// - Parameter temporary: a folder to remove should this process die meanwhile.
    static func run(
        _ command: [String], temporary: String = "", cancellation: Cancellation = .never
    ) throws -> Result {
        let (ours, theirs) = try makeSocketPair()
        defer { close(ours) }
        let process: SupervisedProcess
        do {
            defer { close(theirs) }
            process = try SupervisedProcess(command, output: theirs, temporary: temporary)
        }
        defer { process.finish() }
        var output: [UInt8] = []
        while true {
            try cancellation.check()
            drain(ours, into: &output, wait: 10)
            guard let end = process.waitForEnd(.milliseconds(1)) else { continue }
            drain(ours, into: &output, wait: 0)
            return Result(end: end, output: String(decoding: output, as: UTF8.self))
        }
    }

    private static func drain(_ descriptor: Int32, into output: inout [UInt8], wait: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var wait = wait
        while poll(&waited, 1, wait) > 0 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            output.append(contentsOf: buffer[..<count])
            wait = 0
        }
    }
}
