public import TenureFoundation

extension Date: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .timestamptz }
    public static var postgresArrayType: PostgresType { .timestamptzArray }

    /// From PostgreSQL's epoch, 2000-01-01, to Foundation's, 2001-01-01.
    private static let epochOffset = 31_622_400.0

    /// - Throws: `.encodingFailed` for infinities and for what int64 microseconds can't hold.
    public func encode(into buffer: inout PostgresBuffer) throws {
        let seconds = timeIntervalSinceReferenceDate + Self.epochOffset
        let microseconds = (seconds * 1_000_000).rounded()
        guard let whole = Int64(exactly: microseconds), whole != .max, whole != .min else {
            throw PostgresError(.encodingFailed, "the date is out of timestamptz's range")
        }
        buffer.append(whole)
    }

    /// `infinity` and `-infinity` are read as `distantFuture` and `distantPast`: one such row must
    /// not keep all others of its statement from being read. They are not written again as such.
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        guard type == .timestamptz else { throw PostgresError.mismatch(type, Date.self) }
        let microseconds: Int64 = try bytes.onlyInteger()
        if microseconds == .max || microseconds == .min {
            self = microseconds == .max ? .distantFuture : .distantPast
            return
        }
        let seconds = Double(microseconds) / 1_000_000
        self.init(timeIntervalSinceReferenceDate: seconds - Self.epochOffset)
    }
}

extension Duration: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .interval }
    public static var postgresArrayType: PostgresType { .intervalArray }

    /// As microseconds, without days or months. What is finer is cut off.
    public func encode(into buffer: inout PostgresBuffer) throws {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, tooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        if overflow || tooLong {
            throw PostgresError(.encodingFailed, "the duration is out of interval's range")
        }
        buffer.append(sum)
        buffer.append(Int32(0))
        buffer.append(Int32(0))
    }

    /// A day counts 24 hours.
    ///
    /// - Throws: `.decodingFailed` for an interval with months: they have no fixed length.
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        guard type == .interval, bytes.byteCount == 16 else {
            throw PostgresError.mismatch(type, Duration.self)
        }
        guard bytes.integer(at: 12, as: Int32.self) == 0 else {
            throw PostgresError(.decodingFailed, "an interval with months has no fixed length")
        }
        let days = bytes.integer(at: 8, as: Int32.self)
        let microseconds = bytes.integer(at: 0, as: Int64.self)
        self = .microseconds(microseconds) + .seconds(Int64(days) * 86_400)
    }
}
