import TenureLibcurl
import TenureSystem

/// Where trusted certificates are read from.
///
/// libcurl would take file and folder together, and then reads the whole file for every
/// connection: some 30 ms in which the event thread serves nobody. A folder is read by need, a
/// file alone is kept.
enum TrustStore {
    case file(String)
    case folder(String)
    case builtIn

    init(_ configuration: CurlConfiguration) {
        self = configuration.caFile.map { .file($0) } ?? Self.system
    }

    private static let system: TrustStore = {
        guard let info = curl_version_info(CURLVERSION_SEVENTH)?.pointee else { return .builtIn }
        if let folder = info.capath, isHashed(folder) { return .folder(String(cString: folder)) }
        return info.cainfo.map { .file(String(cString: $0)) } ?? .builtIn
    }()

    /// Whether OpenSSL can find certificates here: under the hash of their names.
    private static func isHashed(_ folder: UnsafePointer<CChar>) -> Bool {
        guard let entries = opendir(folder) else { return false }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.utf8.count == 10 && name.hasSuffix(".0") { return true }
        }
        return false
    }
}
