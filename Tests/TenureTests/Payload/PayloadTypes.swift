import Tenure
import TenureFoundation

/// Types as payloads have them, one for each way in which a type can be decoded.
enum PayloadTypes {
    struct Plain: Codable, Equatable {
        var url = "https://example.org/some/path"
        var depth = 1
    }

    struct Wide: Codable, Equatable {
        let bool: Bool
        let int: Int
        let int8: Int8
        let int16: Int16
        let int32: Int32
        let int64: Int64
        let uint: UInt
        let uint8: UInt8
        let uint16: UInt16
        let uint32: UInt32
        let uint64: UInt64
        let float: Float
        let double: Double
        let string: String
    }

    struct Optionals: Codable, Equatable {
        let string: String?
        let int: Int?
        let double: Double?
        let bool: Bool?
        let nested: Plain?
        let list: [Int?]?
        let twice: Int??
    }

    struct Nested: Codable, Equatable {
        struct Inner: Codable, Equatable {
            let plain: Plain
            let list: [Plain]
        }
        let inner: Inner
        let table: [String: [Int]]
        let lists: [[String]]
    }

    struct Foreign: Codable, Equatable {
        let url: URL
        let id: UUID
        let date: Date
        let maybe: URL?
        let urls: [URL]
    }

    struct Left: Codable, Equatable {
        let data: Data?
        let decimal: Decimal?
    }

    enum Choice: Codable, Equatable {
        case none
        case one(Int)
        case named(first: String, second: Double?)
        indirect case deep(Choice)
    }

    enum Word: String, Codable, CaseIterable { case red, green, blue }
    enum Number: Int, Codable {
        case one = 1
        case two
    }

    struct Words: Codable, Equatable {
        let word: Word
        let number: Number?
        let words: [Word: Int]
        let numbers: [Int: String]
    }

    struct Renamed: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case first = "a.b/c"
            case second = "ü"
            case third = "\u{212A}"
            case fourth = ""
        }
        let first: Int?
        let second: Int?
        let third: Int?
        let fourth: Int?
    }
}

// MARK: - By hand

extension PayloadTypes {
    /// Whatever fits, found by trying.
    enum Tried: Decodable, Equatable {
        case int(Int)
        case string(String)
        case list([Tried])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // Reason for `try?`: what doesn't fit is how it is found.
            if let int = try? container.decode(Int.self) {
                self = .int(int)
            } else if let string = try? container.decode(String.self) {
                self = .string(string)
            } else if let list = try? container.decode([Tried].self) {
                self = .list(list)
            } else {
                self = .other
            }
        }
    }

    /// With a default where nothing fits.
    struct Lenient: Decodable, Equatable {
        enum CodingKeys: CodingKey { case depth, url }
        let depth: Int
        let url: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // Reason for `try?`: there is a default.
            depth = (try? container.decode(Int.self, forKey: .depth)) ?? -1
            url = (try? container.decodeIfPresent(String.self, forKey: .url)) ?? "none"
        }
    }

    /// Reads nested containers, all keys, places and what is null.
    struct ByHand: Decodable, Equatable {
        let keys: [String]
        let found: [String]

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            keys = fields.allKeys.map(\.stringValue).sorted()
            var found: [String] = []
            for key in fields.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                if try fields.decodeNil(forKey: key) {
                    found.append("null")
                } else if var list = try? fields.nestedUnkeyedContainer(forKey: key) {
                    found.append("\(list.count ?? -1)")
                    while !list.isAtEnd {
                        if try list.decodeNil() {
                            found.append("null at \(list.currentIndex)")
                        } else if let text = try list.decodeIfPresent(String.self) {
                            found.append("\(text) at \(list.currentIndex)")
                        }
                    }
                } else {
                    let inner = try fields.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                    found.append("\(inner.contains(AnyKey("depth")))")
                }
            }
            self.found = found
        }
    }

    /// Says where it is.
    struct Placed: Decodable, Equatable {
        let path: [String]
        init(from decoder: any Decoder) throws { path = decoder.codingPath.map(\.stringValue) }
    }

    struct Places: Decodable, Equatable {
        let url: Placed?
        let depth: Placed?
        let list: [Placed]?
    }

    class Parent: Decodable {
        let url: String
    }

    final class Child: Parent {
        enum CodingKeys: CodingKey { case depth }
        let depth: Int
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            depth = try container.decode(Int.self, forKey: .depth)
            try super.init(from: try container.superDecoder())
        }
    }

    /// The same object again, as its parts.
    struct Flat: Decodable, Equatable {
        let plain: Plain
        let lenient: Lenient
        init(from decoder: any Decoder) throws {
            plain = try Plain(from: decoder)
            lenient = try decoder.singleValueContainer().decode(Lenient.self)
        }
    }

    /// Keeps the decoder, and reads when it is asked to.
    struct Keeper: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }

    /// Reads through what its fields have kept.
    struct Kept: Decodable, Equatable {
        enum CodingKeys: CodingKey { case url, depth }
        let url: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let keeper = try container.decode(Keeper.self, forKey: .url)
            let other = try container.decodeIfPresent(Int.self, forKey: .depth)
            url = "\(try String(from: keeper.decoder)) \(other ?? 0)"
        }
    }

    struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension PayloadTypes.Word: CodingKeyRepresentable {}
