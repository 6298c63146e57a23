#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A worker's name for people: host and process.
public enum WorkerName {
    public static var ofThisProcess: String {
        var buffer = [CChar](repeating: 0, count: 256)
        let host =
            gethostname(&buffer, buffer.count - 1) == 0
            ? String(
                decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            : "unknown"
        return "\(host):\(getpid())"
    }
}
