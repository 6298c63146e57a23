import FaultSupport
import TenureSystem

/// Small files, whole.
enum Files {
    static func write(_ bytes: [UInt8], to path: String) throws {
        try put(bytes, path, O_WRONLY | O_CREAT | O_TRUNC)
    }

    /// In place: whoever has mapped the file sees it.
    static func overwrite(_ bytes: [UInt8], _ path: String) throws {
        try put(bytes, path, O_WRONLY)
    }

    static func read(_ path: String) -> String? { read(path, from: 0, SEEK_SET) }

    /// At most its last quarter of a million bytes: of a log, the last seconds.
    static func end(_ path: String) -> String? { read(path, from: -250_000, SEEK_END) }

    private static func read(_ path: String, from offset: Int, _ origin: Int32) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        // Fails for a file that is shorter, which is then read from its beginning.
        _ = fseek(file, offset, origin)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func names(in folder: String) -> [String] {
        guard let opened = opendir(folder) else { return [] }
        defer { closedir(opened) }
        var names: [String] = []
        while let entry = readdir(opened) {
            withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    names.append(String(cString: $0))
                }
            }
        }
        return names.sorted()
    }

    static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw ProcessFailure(what: "mkdir \(path)", errno: errno)
        }
    }

    private static func put(_ bytes: [UInt8], _ path: String, _ flags: Int32) throws {
        let descriptor = open(path, flags | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw ProcessFailure(what: "open \(path)", errno: errno) }
        defer { close(descriptor) }
        guard TenureSystem.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw ProcessFailure(what: "write \(path)", errno: errno)
        }
    }
}
