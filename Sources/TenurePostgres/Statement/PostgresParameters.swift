/// The parameters of a statement, `$1` first.
public struct PostgresParameters: Sendable {
    private(set) var types: [UInt32] = []
    /// Where each value ends in `buffer`; negative for NULL.
    private(set) var lengths: [Int32] = []
    private(set) var buffer = PostgresBuffer()

    public var count: Int { types.count }

    public init() {}

    /// Binds the next parameter. An optional without a value is NULL.
    ///
    /// - Throws: `PostgresError` (`.encodingFailed`) when the value has no form in PostgreSQL.
    public mutating func append<Value: PostgresEncodable>(_ value: Value) throws {
        types.append(Value.postgresType.rawValue)
        if value.isPostgresNull {
            lengths.append(-1)
            return
        }
        let start = buffer.bytes.count
        do { try value.encode(into: &buffer) } catch var error as PostgresError {
            error.message = "parameter $\(count): \(error.message)"
            throw error
        }
        guard let length = Int32(exactly: buffer.bytes.count - start) else {
            throw PostgresError(.encodingFailed, "a parameter may not be larger than 2 GB")
        }
        lengths.append(length)
    }

    /// Lends pointers to the values and to their lengths, as libpq wants them.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count + 1) {
            values in
            buffer.bytes.withUnsafeBytes { bytes in
                // An empty value must not be a null pointer: that would be NULL.
                let base = bytes.baseAddress ?? UnsafeRawPointer(values.baseAddress)
                var offset = 0
                for (index, length) in lengths.enumerated() {
                    let value = base.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
                    values.initializeElement(at: index, to: length < 0 ? nil : value)
                    offset += Int(max(length, 0))
                }
                return lengths.withUnsafeBufferPointer { body(values.baseAddress, $0.baseAddress) }
            }
        }
    }
}
