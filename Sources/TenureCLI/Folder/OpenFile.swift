import NIOCore
import TenureSystem

/// A file of a served folder, closed with the last who holds it.
final class OpenFile: Sendable {
    struct Failed: Error { let code: Int32 }

    private let descriptor: Int32
    /// When it was opened.
    let size: Int

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failed(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw Failed(code: code)
        }
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The next bytes; at least one.
    /// - Throws: also when the file has become shorter than it was.
    func read(atMost count: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            max(0, TenureSystem.read(descriptor, bytes.baseAddress, min(count, bytes.count)))
        }
        guard got > 0 else { throw Failed(code: errno) }
        return buffer
    }
}
