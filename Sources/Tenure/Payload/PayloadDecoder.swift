// docs/decisions/worker-cost.md

import TenureFoundation

/// Decodes payloads as a `JSONDecoder` does of which nothing is set, at a fraction of its cost.
///
/// One pass over the bytes, without a dictionary for each object and without a copy. It answers
/// what is common, and all else is Foundation's: at the first thing that it doesn't know for sure
/// (a number that isn't written plainly, a key that comes twice, a value that isn't there) it
/// leaves the payload to `JSONDecoder`, from the beginning. So errors are always Foundation's own,
/// and a type's `init(from:)` may be called twice for a payload.
package enum PayloadDecoder {
    /// - Throws: what `JSONDecoder` throws, and what the type does.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from payload: String
    ) throws -> Value {
        try decodeAlone(type, from: payload)
            ?? JSONDecoder().decode(type, from: Data(payload.utf8))
    }

    /// - Returns: nil where the payload is for Foundation to decode.
    package static func decodeAlone<Value: Decodable>(
        _ type: Value.Type, from payload: String
    ) -> Value? {
        var payload = payload
        return payload.withUTF8 { bytes in
            guard bytes.count <= PayloadScanner.longest else { return nil }
            return withUnsafeTemporaryAllocation(
                of: PayloadNode.self, capacity: PayloadScanner.mostNodes(in: bytes.count)
            ) { nodes in
                var scanner = PayloadScanner(text: bytes, nodes: nodes)
                guard scanner.scan() else { return nil }
                return PayloadDocument.decode(type, text: bytes, nodes: nodes)
            }
        }
    }
}

/// The payload is for Foundation to decode.
struct PayloadLeft: Error {}
