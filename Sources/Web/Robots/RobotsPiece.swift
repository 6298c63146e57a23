import TenureSystem

/// What stands between two `*` of a rule. It is searched for by the way of Knuth, Morris and Pratt:
/// each byte of the path is looked at twice at most, whatever the piece.
struct RobotsPiece: Sendable {
    let bytes: [UInt8]
    /// For each count of bytes that matched: how many of them still do, one place further on.
    private let borders: [Int32]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var borders = [Int32](repeating: 0, count: bytes.count)
        var border = 0
        for index in bytes.indices.dropFirst() {
            while border > 0, bytes[index] != bytes[border] { border = Int(borders[border - 1]) }
            if bytes[index] == bytes[border] { border += 1 }
            borders[index] = Int32(truncatingIfNeeded: border)
        }
        self.borders = borders
    }

    /// Where it ends for the first time, from `start` on.
    func end(
        in path: UnsafeBufferPointer<UInt8>, from start: Int, _ steps: inout Int
    ) -> Int? {
        guard let base = path.baseAddress else { return nil }
        return bytes.withUnsafeBufferPointer { piece in
            var matched = 0
            var place = start
            defer { steps += place - start + 1 }
            while place < path.count {
                if matched == 0 {
                    // Bytes that begin nothing are passed over all at once.
                    let rest = path.count - place
                    guard let found = memchr(base + place, Int32(piece[0]), rest) else {
                        place = path.count
                        return nil
                    }
                    place = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
                }
                while matched > 0, path[place] != piece[matched] {
                    matched = Int(borders[matched - 1])
                }
                if path[place] == piece[matched] { matched += 1 }
                place += 1
                if matched == piece.count { return place }
            }
            return nil
        }
    }

    /// Whether the path has these bytes at a place where there is room for them.
    static func isEqual(
        _ bytes: [UInt8], _ path: UnsafeBufferPointer<UInt8>, at start: Int, _ steps: inout Int
    ) -> Bool {
        guard let base = path.baseAddress, !bytes.isEmpty else { return bytes.isEmpty }
        // What `memcmp` looks at, at most; it stops where they differ, as nearly all do at once.
        let differs = bytes[0] != path[start]
        steps += differs ? 1 : bytes.count
        return !differs
            && bytes.withUnsafeBytes { memcmp(base + start, $0.baseAddress!, $0.count) == 0 }
    }
}
