/// The stable name of a type of job.
public struct JobKind: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.init(value) }
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
    public var description: String { rawValue }
}

/// A named line of jobs, with its own limits.
public struct QueueName: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String
    public static let `default`: QueueName = "default"
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.init(value) }
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
    public var description: String { rawValue }
}

/// Lower runs first. Ten levels, so that a claim is ten short ranges of one index.
public struct JobPriority: Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral {
    public let rawValue: Int16
    public static let urgent: JobPriority = 0
    public static let normal: JobPriority = 5
    public static let idle: JobPriority = 9
    /// A value outside 0 … 9 is refused at enqueue.
    public init(_ rawValue: Int16) { self.rawValue = rawValue }
    public init(integerLiteral value: Int16) { self.init(value) }
    public static func < (a: JobPriority, b: JobPriority) -> Bool { a.rawValue < b.rawValue }
}

/// The number a keyed job gets under its key's lock, from one database sequence: it only grows.
public struct Generation: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    public let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: Generation, b: Generation) -> Bool { a.rawValue < b.rawValue }
    public var description: String { String(rawValue) }
}

/// The number a claim gives a job, from one database sequence. Later claims always have larger
/// numbers; it names this run of the job, and outside systems can refuse smaller ones.
public struct Fence: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    public let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: Fence, b: Fence) -> Bool { a.rawValue < b.rawValue }
    public var description: String { String(rawValue) }
}

/// One run of a worker or coordinator process.
public struct SessionID: Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
    public var description: String { String(rawValue) }
}
