import Synchronization
import TenureSystem

/// A file of JSON lines, one `write` a line: a process that is killed loses half a line at most.
package final class LineFile: Sendable {
    private let descriptor: Int32
    /// Held from reading the clock to the write, so that the lines stand in the clock's order.
    private let order = Mutex(())

    package init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw ProcessFailure(what: "open \(path)", errno: errno) }
    }

    deinit { close(descriptor) }

    /// A line that begins with the boot time at which it is written.
    package func write(_ fields: [(String, JSONValue?)]) {
        order.withLock { _ in
            put(JSONValue.object([("boot", .number(bootTime()))] + fields).text + "\n")
        }
    }

    /// A line as it is.
    package func write(line: String) { order.withLock { _ in put(line + "\n") } }

    private func put(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = TenureSystem.write(descriptor, rest.baseAddress!, rest.count)
                if count < 0, errno == EINTR { continue }
                // A log that can't be written makes the recording worthless: that is no secret.
                precondition(count > 0, "a log can't be written: errno \(errno)")
                rest = rest.dropFirst(count)
            }
        }
    }
}

extension Slice where Base == UnsafeBufferPointer<UInt8> {
    fileprivate var baseAddress: UnsafePointer<UInt8>? {
        base.baseAddress.map { $0 + startIndex }
    }
}
