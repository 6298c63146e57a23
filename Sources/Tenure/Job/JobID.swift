public import TenureFoundation
import TenureSystem

/// A job's name for all time: a UUID of version 7, made by the producer, stable over attempts.
/// Use it as the idempotency key towards systems that take one.
public struct JobID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible,
    LosslessStringConvertible
{
    public let uuid: UUID

    /// A new id: 48 bits of Unix milliseconds, 12 bits of what is left of the time (as RFC 9562
    /// has it, 6.2, method 3), then 62 random bits: one question to the system, not two.
    public init() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let milliseconds = UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
        let rest = ((UInt64(time.tv_nsec) % 1_000_000) << 12) / 1_000_000
        var random = SystemRandomNumberGenerator()
        self.init(milliseconds: milliseconds, random: (rest, random.next()))
    }

    package init(milliseconds: UInt64, random: (UInt64, UInt64)) {
        let high = milliseconds << 16 | 0x7000 | (random.0 & 0x0FFF)
        let low = 0x8000_0000_0000_0000 | (random.1 & 0x3FFF_FFFF_FFFF_FFFF)
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
        }
        uuid = UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }

    public init(_ uuid: UUID) { self.uuid = uuid }

    /// Any spelling of a UUID; nil for anything else.
    public init?(_ description: String) {
        guard let uuid = UUID(uuidString: description) else { return nil }
        self.uuid = uuid
    }

    public init(from decoder: any Decoder) throws {
        uuid = try decoder.singleValueContainer().decode(UUID.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// As their descriptions are ordered, and PostgreSQL orders them.
    public static func < (a: JobID, b: JobID) -> Bool {
        let (a, b) = (a.halves, b.halves)
        return a.high == b.high ? a.low < b.low : a.high < b.high
    }

    private var halves: (high: UInt64, low: UInt64) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// Lower case, as PostgreSQL prints it.
    public var description: String { uuid.uuidString.lowercased() }
}
