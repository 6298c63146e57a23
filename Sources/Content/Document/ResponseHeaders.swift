import HTTPTransport
import TenureFoundation
import Web

/// The header fields that are kept with a document: those that say how long it is fresh, and by
/// what it is told from another version. Never one that carries a secret.
struct ResponseHeaders: Sendable, Hashable {
    private var fields: [String: String] = [:]
    private static let kept = [
        "age", "cache-control", "date", "etag", "expires", "last-modified", "vary",
    ]

    init(_ headers: HTTPHeaders) {
        for name in Self.kept {
            let values = headers.values(of: name)
            if !values.isEmpty { fields[name] = values.joined(separator: ", ").storable }
        }
    }

    /// As they were stored; what can't be read is as if it weren't there.
    init(json: String?) {
        guard let json else { return }
        // Reason for `try?`: without stored fields the document is asked for again, no more.
        fields = (try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))) ?? [:]
    }

    subscript(name: String) -> String? { fields[name] }

    /// Written by hand: an encoder takes a hundredth of all that a page costs.
    func json() -> String {
        var json: [UInt8] = [UInt8(ascii: "{")]
        for (name, value) in fields {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            Self.append(name, to: &json)
            json.append(UInt8(ascii: ":"))
            Self.append(value, to: &json)
        }
        json.append(UInt8(ascii: "}"))
        return String(decoding: json, as: UTF8.self)
    }

    /// A string of JSON (RFC 8259, section 7).
    private static func append(_ text: String, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                json += "\\u00".utf8
                json += [UInt8.hexDigit(byte >> 4), UInt8.hexDigit(byte & 15)]
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }

    /// With the fields of a 304, which replace those of the document (RFC 9111, section 3.2). Its
    /// age and date are the answer's own: an old one would make it older than it is.
    func updated(by answer: HTTPHeaders) -> ResponseHeaders {
        var headers = self
        headers.fields["age"] = nil
        headers.fields["date"] = nil
        headers.fields.merge(ResponseHeaders(answer).fields) { $1 }
        return headers
    }

    /// How long the document may be used unasked. One that depends on more than the request never.
    func freshness(_ figures: RequestFigures?) -> Duration {
        let now = HTTPDate.now
        let cached = CachedResponse(
            status: 200, requestTime: figures?.sentAt ?? now,
            responseTime: figures?.answeredAt ?? now
        ) { fields[$0] }
        guard cached.vary != .anything else { return .zero }
        return max(.zero, cached.remainingFreshness(at: now))
    }
}

extension UInt8 {
    fileprivate static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
