import TenureLibcurl

/// A libcurl easy handle with everything that must live as long as it: its lists, its error text,
/// and a name cache that no other transfer sees.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private let nameCache: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    init?() {
        guard let raw = curl_easy_init() else { return nil }
        guard let nameCache = tenure_own_name_cache() else {
            curl_easy_cleanup(raw)
            return nil
        }
        self.raw = raw
        self.nameCache = nameCache
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        tenure_set_pointer(raw, CURLOPT_SHARE, nameCache)
        tenure_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_share_cleanup(nameCache)
        for list in lists { curl_slist_free_all(list) }
        errorText.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) {
        check(tenure_set_long(raw, option, value), option)
    }

    func set(_ option: CURLoption, _ value: Bool) {
        set(option, value ? 1 : 0)
    }

    /// libcurl copies strings.
    func set(_ option: CURLoption, _ value: String?) {
        check(tenure_set_string(raw, option, value), option)
    }

    /// libcurl keeps lists by reference.
    func set(_ option: CURLoption, _ values: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values { list = curl_slist_append(list, value) ?? list }
        guard let list else { return }
        lists.append(list)
        check(tenure_set_list(raw, option, list), option)
    }

    /// What a POST sends. libcurl copies it, and has to know its length before.
    func setBody(_ bytes: [UInt8]) {
        set(CURLOPT_POSTFIELDSIZE, bytes.count)
        bytes.withUnsafeBytes { bytes in
            let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            check(tenure_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, start), CURLOPT_COPYPOSTFIELDS)
        }
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        tenure_get_long(raw, info, &value)
        return value
    }

    /// A byte count, or microseconds.
    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        tenure_get_offset(raw, info, &value)
        return Int(value)
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        tenure_get_string(raw, info, &value)
        return value.map { String(cString: $0) }
    }

    /// Says whose handle this is, in libcurl's messages.
    var tag: UInt64 {
        get { Self.tag(of: raw) }
        set { tenure_set_pointer(raw, CURLOPT_PRIVATE, .init(bitPattern: UInt(newValue))) }
    }

    static func tag(of raw: UnsafeMutableRawPointer) -> UInt64 {
        var value: UnsafePointer<CChar>?
        tenure_get_string(raw, CURLINFO_PRIVATE, &value)
        return UInt64(UInt(bitPattern: value))
    }

    /// What libcurl says about a failure.
    func explanation(of code: CURLcode) -> String {
        let text = String(cString: errorText)
        return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    }

    /// An option that is refused may be one that keeps somebody safe: nothing goes on without it.
    private func check(_ code: CURLcode, _ option: CURLoption) {
        precondition(
            code == CURLE_OK, "libcurl refused option \(option.rawValue): \(code.rawValue)")
    }
}
