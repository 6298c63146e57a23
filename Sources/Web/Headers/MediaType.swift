/// A media type as Content-Type names it (MIME Sniffing standard, section 4.4).
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    public struct Parameter: Hashable, Sendable {
        /// In lower case.
        public let name: String
        public let value: String
    }

    /// Type and subtype in lower case, as `text/html`.
    public let essence: String
    /// The first of each name.
    public let parameters: [Parameter]

    /// Each is compared with those before it.
    private static let maxParameters = 64

    public init?(_ text: String) {
        var rest = Array(text.utf8).trimmingASCIIWhitespace()
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        let essence = rest[..<end].trimmingASCIIWhitespace()
        let parts = essence.split(
            separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, MediaType.isToken(parts[0]), MediaType.isToken(parts[1]) else {
            return nil
        }
        self.essence = MediaType.lowercased(essence)
        rest = rest[end...]
        var parameters: [Parameter] = []
        while parameters.count < MediaType.maxParameters, rest.popFirst() != nil {
            let parameter = MediaType.takeParameter(&rest)
            guard let parameter, !parameters.contains(where: { $0.name == parameter.name }) else {
                continue
            }
            parameters.append(parameter)
        }
        self.parameters = parameters
    }

    public var charset: String? { parameters.first { $0.name == "charset" }?.value }

    public var isMarkdown: Bool { essence == "text/markdown" }
    public var isHTML: Bool { essence == "text/html" || essence == "application/xhtml+xml" }

    public var description: String {
        parameters.reduce(essence) { text, parameter in
            let value = parameter.value
            if !value.isEmpty, MediaType.isToken(Array(value.utf8)[...]) {
                return "\(text);\(parameter.name)=\(value)"
            }
            // By scalars: a quote with an accent is a character of its own, and still a quote.
            var escaped = String.UnicodeScalarView()
            for scalar in value.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
                escaped.append(scalar)
            }
            return "\(text);\(parameter.name)=\"\(escaped)\""
        }
    }

    /// Reads up to the next semicolon, which stays; nil if there is no parameter worth keeping.
    private static func takeParameter(_ rest: inout ArraySlice<UInt8>) -> Parameter? {
        rest = rest.drop(while: \.isASCIIWhitespace)
        let name = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
        rest = rest[name.endIndex...]
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst()
        let value: [UInt8]
        if rest.first == 0x22 {
            value = takeQuoted(&rest)
            rest = rest.drop { $0 != UInt8(ascii: ";") }
        } else {
            let raw = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest[raw.endIndex...]
            value = Array(raw.trimmingASCIIWhitespace())
            if value.isEmpty { return nil }
        }
        guard isToken(name), value.allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7F }) else {
            return nil
        }
        return Parameter(name: lowercased(name), value: String(decoding: value, as: UTF8.self))
    }

    private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var value: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != 0x22 {
            value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return value
    }

    /// One or more "HTTP token code points".
    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
    }
}
