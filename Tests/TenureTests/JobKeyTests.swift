import Tenure
import TenureFoundation
import Testing

@Suite struct JobKeyTests {
    @Test func `Different parts never make the same key`() {
        let keys = [
            JobKey.of("a", "b"), JobKey.of("a/b"), JobKey.of("a", "b", nil),
            JobKey.of("a", "b", ""),
            JobKey.of("a%2Fb"), JobKey.of("a", nil), JobKey.of("a", "%"), JobKey.of(nil, "a"),
            JobKey.of("a"), JobKey.of("a", "b", "%25"), JobKey.of("a", "b", "%"),
        ]
        #expect(Set(keys).count == keys.count, "\(keys)")
    }

    @Test func `A part stands by its description`() {
        let id = UUID()
        #expect(JobKey.of("invoice", 7, Int64(-1), true, id) == "invoice/7/-1/true/\(id)")
    }
}
