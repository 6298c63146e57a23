/// Puts the schema a program runs in where the SQL names a qualifier.
struct SchemaMap: Sendable {
    private let schemas: [(qualifier: [UInt8], replacement: [UInt8])]

    init(_ schemas: [String: String]) throws {
        self.schemas = try schemas.sorted { $0.key < $1.key }.map { qualifier, schema in
            // The name also lands in literals and function bodies, where no quoting serves all.
            guard !schema.isEmpty, !schema.utf8.contains(where: { "'\"\\$\0".utf8.contains($0) })
            else {
                throw PostgresError(
                    .invalidConfiguration, "a schema's name may not hold quotes, \\ or $")
            }
            return (Array("\(qualifier).".utf8), Array("\"\(schema)\".".utf8))
        }
    }

    /// The SQL with every qualifier replaced that starts a name.
    func apply(to sql: String) -> String {
        if schemas.isEmpty { return sql }
        let text = Array(sql.utf8)
        var mapped: [UInt8] = []
        mapped.reserveCapacity(text.count + 64)
        var index = 0
        while index < text.count {
            let startsName = index == 0 || !Self.continuesName(text[index - 1])
            let match = startsName ? schemas.first { text[index...].starts(with: $0.0) } : nil
            if let match {
                mapped += match.replacement
                index += match.qualifier.count
            } else {
                mapped.append(text[index])
                index += 1
            }
        }
        return String(decoding: mapped, as: UTF8.self)
    }

    /// Whether a name can't start after this byte: `my_tenure.`, `x.tenure.`, `"tenure.`.
    private static func continuesName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "\""), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }
}
