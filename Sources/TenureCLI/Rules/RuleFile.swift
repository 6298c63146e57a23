// docs/rules.md

import Content
import TenureFoundation
import TenureSystem
import YAML

/// A file with the rules of checks. Whatever is wrong with it is told in one line, with its place,
/// before anything is checked.
enum RuleFile {
    /// Puts what the file says into the options.
    /// - Throws: `Failure`.
    static func take(_ path: String, into options: inout SiteCheckOptions) throws {
        let bytes = try bytes(of: path)
        do {
            guard let root = try YAMLReader.read(bytes) else { return }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            var reader = RuleReader(options, name: name, by: Whom.name)
            try reader.take(root)
            options = reader.options
        } catch let error as YAMLError {
            throw Failure("\(path):\(error)")
        }
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        func refused(_ why: String) -> Failure { Failure("--rules \(path) \(why)") }
        // One that waits for a writer is opened, and not read.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw refused(
                errno == ENOENT
                    ? "isn't there; give a file with rules"
                    : "can't be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw refused("is a directory; give a file with rules")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw refused("is no regular file; give a file with rules")
        }
        guard status.st_size <= YAMLReader.mostBytes else {
            throw refused("is larger than \(YAMLReader.mostBytes >> 10) KiB; give less rules")
        }
        return try read(descriptor) ?? { throw refused("can't be read") }()
    }

    /// All of it, or one byte more than is read of any file. Nil where that fails.
    private static func read(_ descriptor: Int32) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= YAMLReader.mostBytes {
            let count = TenureSystem.read(descriptor, &chunk, chunk.count)
            if count < 0 { return nil }
            if count == 0 { break }
            bytes += chunk.prefix(count)
        }
        return bytes
    }
}
