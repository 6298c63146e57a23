extension System {
    /// Whether bytes are UTF-8 as Unicode has it.
    package static func isUTF8(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            // There is no UTF8Span before macOS 26.
            return String(validating: bytes, as: UTF8.self) != nil
        #else
            // Reason for `try?`: whether it throws is the question; where the fault lies is not
            // asked.
            return (try? UTF8Span(validating: bytes.span)) != nil
        #endif
    }

    /// What this system's iconv calls an encoding that others call as glibc does.
    package static func iconvName(_ name: String) -> String {
        #if canImport(Glibc)
            return name
        #else
            return switch name {
            case "EUC-JP-MS": "EUC-JP"
            case "MAC-CYRILLIC": "MacCyrillic"
            default: name
            }
        #endif
    }

    #if canImport(Darwin)
        /// Flags of `initdb`: a locale in which texts are ordered by code point, and are UTF-8.
        package static var localeFlags: [String] { ["--locale=C", "--lc-ctype=UTF-8"] }
        package static var installsPostgres: String { "brew install postgresql" }
    #else
        /// Flags of `initdb`: a locale in which texts are ordered by code point, and are UTF-8.
        package static var localeFlags: [String] { ["--locale=C.UTF-8"] }
        package static var installsPostgres: String { "apt-get install postgresql" }
    #endif
}
