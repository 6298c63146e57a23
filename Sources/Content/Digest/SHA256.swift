/// SHA-256 (FIPS 180-4) as a value whose state can be kept: a file's hash goes on where it was, in
/// another process too.
struct SHA256: Sendable, Hashable {
    private static let start: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var words = start
    /// What doesn't fill a block yet.
    private var pending: [UInt8] = []
    private(set) var count: UInt64 = 0

    private static let block = 64

    init() {}

    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            withDigest(of: bytes) { words in
                [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
                    UnsafeMutableRawBufferPointer(digest).copyMemory(from: words)
                    count = 32
                }
            }
        }
    }

    /// Of bytes that are all there: no state is kept, and nothing allocated. A page has a hundred
    /// names.
    /// - Parameter body: gets the 32 bytes.
    static func withDigest<Result>(
        of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 8 + 64 + 2 * block / 4) { space in
            let words = space.baseAddress!  // Reason for `!`: it has 104 elements.
            let (schedule, last) = (words + 8, UnsafeMutableRawPointer(words + 72))
            start.withUnsafeBufferPointer { words.update(from: $0.baseAddress!, count: 8) }
            SHA256Rounds.constants.withUnsafeBufferPointer { constants in
                func add(_ block: UnsafeRawPointer) {
                    SHA256Rounds.add(block, to: words, constants.baseAddress!, schedule)
                }
                let (whole, rest) = bytes.count.quotientAndRemainder(dividingBy: block)
                if let base = bytes.baseAddress {
                    for index in 0..<whole { add(base + index * block) }
                    last.copyMemory(from: base + whole * block, byteCount: rest)
                }
                let end = rest < block - 8 ? block : 2 * block
                (last + rest).initializeMemory(as: UInt8.self, repeating: 0, count: end - rest)
                last.storeBytes(of: 0x80, toByteOffset: rest, as: UInt8.self)
                let bits = (UInt64(bytes.count) &* 8).bigEndian
                last.storeBytes(of: bits, toByteOffset: end - 8, as: UInt64.self)
                for offset in stride(from: 0, to: end, by: block) { add(last + offset) }
            }
            for index in 0..<8 { words[index] = words[index].bigEndian }
            return body(UnsafeRawBufferPointer(start: words, count: 32))
        }
    }

    mutating func update(_ bytes: [UInt8]) {
        count &+= UInt64(bytes.count)
        bytes.withUnsafeBytes { input in
            var rest = input[...]
            if !pending.isEmpty {
                let missing = rest.prefix(Self.block - pending.count)
                pending.append(contentsOf: missing)
                rest = rest.dropFirst(missing.count)
                guard pending.count == Self.block else { return }
                let whole = pending
                whole.withUnsafeBytes { digest($0) }
                pending = []
            }
            let whole = rest.count / Self.block * Self.block
            digest(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
            pending.append(contentsOf: rest.dropFirst(whole))
        }
    }

    /// Of all bytes so far. More may follow.
    var digest: [UInt8] {
        var copy = self
        let zeros = (2 * Self.block - 9 - pending.count) % Self.block
        copy.update([0x80] + [UInt8](repeating: 0, count: zeros) + (count &* 8).bigEndianBytes)
        return copy.words.flatMap(\.bigEndianBytes)
    }

    private mutating func digest(_ blocks: UnsafeRawBufferPointer) {
        guard let base = blocks.baseAddress else { return }
        words.withUnsafeMutableBufferPointer { words in
            SHA256Rounds.constants.withUnsafeBufferPointer { constants in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                    guard let words = words.baseAddress, let constants = constants.baseAddress,
                        let schedule = schedule.baseAddress
                    else { return }
                    var offset = 0
                    while offset < blocks.count {
                        SHA256Rounds.add(base + offset, to: words, constants, schedule)
                        offset += Self.block
                    }
                }
            }
        }
    }
}

extension SHA256 {
    /// 40 bytes and up to 63 that wait for a whole block.
    var state: [UInt8] { words.flatMap(\.bigEndianBytes) + count.bigEndianBytes + pending }

    /// Nil for what is no state.
    init?(state: [UInt8]) {
        guard state.count >= 40 else { return nil }
        words = (0..<8).map { UInt32(truncatingIfNeeded: state[$0 * 4..<$0 * 4 + 4].bigEndian) }
        count = state[32..<40].bigEndian
        pending = Array(state[40...])
        guard UInt64(pending.count) == count % UInt64(Self.block) else { return nil }
    }
}

/// One block's 64 rounds. Plain loops and pointers, because they must be fast in debug builds too.
private enum SHA256Rounds {
    static func add(
        _ block: UnsafeRawPointer, to words: UnsafeMutablePointer<UInt32>,
        _ constants: UnsafePointer<UInt32>, _ schedule: UnsafeMutablePointer<UInt32>
    ) {
        fill(schedule, block)
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        var round = 0
        while round < 64 {
            let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let choice = (e & f) ^ (~e & g)
            let t1 = h &+ s1 &+ choice &+ constants[round] &+ schedule[round]
            let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            h = g
            g = f
            f = e
            e = d &+ t1
            d = c
            c = b
            b = a
            a = t1 &+ s0 &+ majority
            round += 1
        }
        words[0] = words[0] &+ a
        words[1] = words[1] &+ b
        words[2] = words[2] &+ c
        words[3] = words[3] &+ d
        words[4] = words[4] &+ e
        words[5] = words[5] &+ f
        words[6] = words[6] &+ g
        words[7] = words[7] &+ h
    }

    private static func fill(_ schedule: UnsafeMutablePointer<UInt32>, _ block: UnsafeRawPointer) {
        var index = 0
        while index < 16 {
            let word = block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
            schedule[index] = UInt32(bigEndian: word)
            index += 1
        }
        while index < 64 {
            let (x, y) = (schedule[index - 15], schedule[index - 2])
            let s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x &>> 3)
            let s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y &>> 10)
            schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
            index += 1
        }
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ by: UInt32) -> UInt32 {
        (word &>> by) | (word &<< (32 &- by))
    }

    static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
        0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
        0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
        0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
        0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
