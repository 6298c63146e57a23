import Tenure
import TenureFoundation

/// What an hour's sweep goes through of tables in which age alone doesn't tell what is to go: a
/// twenty-fourth of them, by digests, so that a day's sweeps see all of it. Nothing has to remember
/// how far they have come.
struct SweepShare: Sendable, Equatable {
    /// From 0 to 23.
    let hour: Int

    /// The first byte of the share's digests, and of the next one's.
    private var first: Int { hour * 256 / 24 }
    private var next: Int { (hour + 1) * 256 / 24 }

    /// The last id before the share, and the last of it.
    var ids: (after: UUID, until: UUID) {
        (first == 0 ? Self.id(filled: 0) : Self.id(before: first), Self.id(before: next))
    }

    /// What all hashes of the share come after, and what none of them does.
    var hashes: (after: [UInt8], until: [UInt8]) {
        (
            first == 0 ? [] : [UInt8(first)],
            next == 256 ? [UInt8](repeating: 0xFF, count: 33) : [UInt8(next)]
        )
    }

    private static func id(before byte: Int) -> UUID {
        id(filled: 0xFF, first: UInt8(byte - 1))
    }

    private static func id(filled fill: UInt8, first: UInt8? = nil) -> UUID {
        UUID(
            uuid: (
                first ?? fill, fill, fill, fill, fill, fill, fill, fill, fill, fill, fill, fill,
                fill, fill, fill, fill
            ))
    }
}

/// The hour of the day, whose share it is.
struct ReadSweepHour: PostgresStatement {
    static let sql = "SELECT extract(hour FROM content.now() AT TIME ZONE 'UTC')::integer"

    static func decode(_ row: borrowing PostgresRow) throws -> Int { try row.count(0) }
}
