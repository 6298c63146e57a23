// docs/notices.md

public import TenureFoundation

/// What somebody is told of a check: one digest, however much has changed. Its URLs are without
/// secrets, and its lists are cut: the counts are not.
public struct Notice: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Codable {
        case check, test
    }

    /// What is new of one finding.
    public struct Break: Sendable, Hashable, Codable {
        public let target: String
        public let fragment: String?
        /// `404`, `missingFragment`, `connectRefused`, …
        public let code: String
        public let status: Int?
        public let detail: String?
        /// Whether a page breaks with it.
        public let isHard: Bool
        public let lastOkAt: Date?
        /// The first places that refer to it, and how many there are.
        public let places: [Place]
        public let placeCount: Int
    }

    public struct Place: Sendable, Hashable, Codable {
        public let page: String
        public let line: Int
        public let column: Int
        public let text: String?
    }

    /// What was broken, and isn't any more.
    public struct Mend: Sendable, Hashable, Codable {
        public enum How: String, Sendable, Codable {
            /// It answers again, or has its anchor again.
            case answers
            /// Nothing refers to it any more.
            case unlinked
        }

        public let target: String
        public let fragment: String?
        /// What it was broken with.
        public let code: String
        public let brokenSince: Date
        public let how: How
    }

    public struct Counts: Sendable, Hashable, Codable {
        public let broken: Int
        public let mended: Int
        public let changed: Int
        /// All that is broken on the site now, what is new included.
        public let standing: Int
    }

    /// Of this form. A later one only adds fields.
    public private(set) var version = 1
    /// The same on every send.
    public let id: String
    public let kind: Kind
    public let madeAt: Date
    /// Where the site begins.
    public let site: String?
    public let check: String?
    public let startedAt: Date?
    public let counts: Counts
    public let broken: [Break]
    public let mended: [Mend]
    /// Pages whose links or headings are others than at the check before.
    public let changed: [String]

    /// So many of each list, and of the places of a finding.
    static let longestList = 100
    static let mostPlaces = 5

    /// As it is sent, and signed.
    static func encode(_ notice: Notice) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(notice))
    }

    static func decode(_ bytes: [UInt8]) throws -> Notice {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Notice.self, from: Data(bytes))
    }

    /// One that tells of nothing.
    static func test(_ id: UUID) -> Notice {
        Notice(
            id: id.uuidString.lowercased(), kind: .test, madeAt: Date(), site: nil, check: nil,
            startedAt: nil, counts: Counts(broken: 0, mended: 0, changed: 0, standing: 0),
            broken: [], mended: [], changed: [])
    }
}
