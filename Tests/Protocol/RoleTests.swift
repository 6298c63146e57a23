import TenurePostgres
import TestSupport
import Testing

@testable import TenureCLI

/// The protocol's operations under the product's roles: who may begin one comes to its end.
@Suite struct RoleTests {
    @Test func `No operation lacks a right halfway, under any role that may begin it`()
        async throws
    {
        let bench = try await Bench.open()
        defer { bench.close() }
        let names = try RoleNames(prefix: "p\(UInt32.random(in: 0 ... .max))_")
        let script = RoleScript(names: names, schemas: ["tenure"])
        try await bench.keeper.simple(
            """
            CREATE TABLE tenure.migration (name text, checksum text);
            CREATE TABLE tenure.function_set (number bigint, checksum text, newest text);
            \(try script.text(for: PostgresConfiguration("")))
            GRANT USAGE ON SCHEMA app, world, probe TO PUBLIC;
            GRANT ALL ON ALL TABLES IN SCHEMA app, probe TO PUBLIC;
            GRANT ALL ON ALL SEQUENCES IN SCHEMA probe TO PUBLIC;
            -- A beat brings the clock's steps, and callers bring ids of their own.
            GRANT SELECT ON tenure.clock TO PUBLIC;
            GRANT EXECUTE ON FUNCTION tenure.new_id TO PUBLIC;
            """)
        for operation in Operation.all {
            var able: [ProductRole] = []
            for role in ProductRole.allCases {
                try await bench.reset(operation)
                switch try await attempt(operation, as: names.quoted(role), on: bench.sideA) {
                case nil: able.append(role)
                case let refusal? where operation.begins(with: refusal): continue
                case let refusal?:
                    Issue.record("\(operation.name), as a \(role.rawValue): \(refusal)")
                }
            }
            #expect(!able.isEmpty, "nobody may do: \(operation.name)")
        }
    }

    /// - Returns: what was refused for want of a right, if anything was.
    private func attempt(
        _ operation: Operation, as role: String, on side: PostgresConnection
    ) async throws -> String? {
        try await side.simple("BEGIN; SET LOCAL ROLE \(role)")
        var refusal: String?
        do {
            for step in operation.steps { try await side.query(step) }
        } catch let error as PostgresError {
            if error.sqlState == "42501" { refusal = error.message }
        }
        try await side.simple("ROLLBACK")
        return refusal
    }
}

extension Operation {
    /// Whether the refused object is one that the operation itself names: `for function claim`.
    fileprivate func begins(with refusal: String) -> Bool {
        guard let name = refusal.split(separator: " ").last else { return false }
        return steps.contains { $0.contains("tenure.\(name)") }
    }
}
