import HTTPTransport
import TenureFoundation
import Testing

/// Files that are packed by themselves: unpacked within a bound, or refused in a line.
@Suite struct GzipFileTests {
    /// 20,000 times the letter A.
    private let packed = Array(
        Data(
            base64Encoded: "H4sIAAAAAAACA+3BMQEAAADCoGzrX8oaHkABAAAAAAAAAAAAAAAAAAAAAAAA8GAbEJrY"
                + "IE4AAA==") ?? Data())

    @Test func `all of it comes out, as often as it was packed`() throws {
        #expect(GzipFile.isOne(packed) && !GzipFile.isOne(Array("<urlset>".utf8)))
        let once = try GzipFile.unpack(packed, most: 20_000)
        #expect(once == [UInt8](repeating: UInt8(ascii: "A"), count: 20_000))
        #expect(try GzipFile.unpack(packed + packed, most: 40_000).count == 40_000)
    }

    @Test func `a bomb stops at the bound`() {
        let error = #expect(throws: GzipFile.Failure.self) {
            try GzipFile.unpack(packed + packed, most: 39_999)
        }
        #expect(error?.description == "the gzip file has more than 39999 bytes unpacked")
    }

    @Test func `what is broken or cut off is refused`() {
        for length in 2..<packed.count {
            #expect(throws: GzipFile.Failure.self) {
                try GzipFile.unpack(Array(packed[..<length]), most: 20_000)
            }
        }
        var broken = packed
        broken[20] ^= 0xFF
        #expect(throws: GzipFile.Failure.self) { try GzipFile.unpack(broken, most: 20_000) }
    }
}
