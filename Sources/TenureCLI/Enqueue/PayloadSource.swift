import TenureFoundation
import TenureSystem

/// Where a payload's text comes from.
enum PayloadSource {
    /// What the queue takes at most; a larger text is refused after its first byte too many.
    private static let most = 1 << 20

    static func read(_ text: String) throws -> String {
        if text == "-" { return try read(STDIN_FILENO, "standard input") }
        guard text.hasPrefix("@") else { return text }
        let path = String(text.dropFirst())
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure("can't read \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return try read(descriptor, path)
    }

    private static func read(_ descriptor: Int32, _ name: String) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = TenureSystem.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure("can't read \(name): \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= most else {
                throw Failure(
                    "\(name) has more than the \(most) bytes that a payload may have; store it "
                        + "elsewhere and enqueue a reference")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("\(name) is not UTF-8; encode the payload as UTF-8")
        }
        return text
    }
}
