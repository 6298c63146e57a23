import Testing

@testable import TenurePostgres

@Suite struct SchemaMapTests {
    @Test func `Qualifiers are replaced where a name starts, in literals too`() throws {
        let map = try SchemaMap(["tenure": "tenure_1"])
        #expect(
            map.apply(to: "SELECT tenure.f(tenure.job.id), 'tenure.job'::regclass")
                == "SELECT \"tenure_1\".f(\"tenure_1\".job.id), '\"tenure_1\".job'::regclass")
        #expect(map.apply(to: "my_tenure.x, a.tenure.x") == "my_tenure.x, a.tenure.x")
        #expect(try SchemaMap([:]).apply(to: "tenure.x") == "tenure.x")
    }

    @Test(arguments: ["", "a\"b", "a'b", "a\\b", "a$b"])
    func `A name that can't be quoted everywhere is refused`(name: String) {
        #expect(throws: PostgresError.self) { try SchemaMap(["tenure": name]) }
    }
}
