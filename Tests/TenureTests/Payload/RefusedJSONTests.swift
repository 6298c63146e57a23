import Tenure
import Testing

@Suite struct RefusedJSONTests {
    /// Each is refused before anything is written, in one line with what to do.
    @Test(arguments: [
        (#"["\x"]"#, "an unknown escape"), (#"["\uD800"]"#, "half of a surrogate pair"),
        (#"["\uD800\u0041"]"#, "half of a surrogate pair"),
        (#"["\uDC00"]"#, "half of a surrogate pair"), (#"["\u00zz"]"#, "an unknown escape"),
        (#"["\u00"#, "a string does not end"), (#"["\u0000"]"#, #"\u0000"#),
        ("[01]", "a leading zero"), ("[-]", "without digits"),
        (String(repeating: "[", count: 66) + String(repeating: "]", count: 66), "64 levels"),
    ])
    func `what PostgreSQL would refuse is refused by name`(json: String, text: String) {
        let error = #expect(throws: TenureError.self) { try NewJob(kind: "k", payload: json) }
        #expect(error?.code == .invalidJob && error?.message.contains(text) == true, "\(error!)")
    }
}
