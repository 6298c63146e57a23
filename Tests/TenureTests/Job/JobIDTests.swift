import TenureSystem
import Testing

@testable import Tenure

@Suite struct JobIDTests {
    @Test func `an id tells when it was made, to a 4,096th of a millisecond`() throws {
        for _ in 0..<1000 {
            let before = Self.now()
            let id = JobID().description.filter { $0 != "-" }
            let after = Self.now()
            let made = try #require(UInt64(id.prefix(12) + id.dropFirst(13).prefix(3), radix: 16))
            #expect(before...after ~= made)
            #expect(id.dropFirst(12).first == "7")
            #expect("89ab".contains(id[id.index(id.startIndex, offsetBy: 16)]))
        }
    }

    @Test func `ids of the same moment differ`() {
        #expect(Set((0..<10_000).map { _ in JobID() }).count == 10_000)
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let nanoseconds = UInt64(time.tv_nsec)
        let milliseconds = UInt64(time.tv_sec) * 1000 + nanoseconds / 1_000_000
        return milliseconds << 12 | nanoseconds % 1_000_000 * 4096 / 1_000_000
    }
}
