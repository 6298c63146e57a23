import Tenure
import TenurePostgres
import Testing

/// docs/decisions/reach.md
@Suite struct ReachTests {
    /// What PostgreSQL counts and locks is compared with what the names say.
    @Test func `An operation calls and touches nothing that it is not said to reach`() async throws
    {
        let reach = try Reach.here()
        try await withBenches(1) { benches in
            let bench = benches[0]
            try await bench.sideA.simple("SET track_functions = 'all'")
            var seen = 0
            for operation in Operation.all {
                try await bench.reset(operation)
                let names = try await bench.touched(by: operation)
                let more = Set(names).subtracting(reach.reached(by: operation))
                #expect(more.isEmpty, "\(operation.name) reaches \(more.sorted())")
                if !names.isEmpty { seen += 1 }
            }
            #expect(seen * 10 > Operation.all.count * 8, "only \(seen) could be looked at")
        }
    }

    @Test func `What nobody calls changes no mark, and what one calls changes his`() throws {
        let plain = Reach(runner: "")
        let marks = plain.marks(of: Operation.all)
        #expect(changed(marks, by: { _ in }).isEmpty)
        let more = changed(marks) { sql in
            sql.migrations.append(
                Migration(name: "9999_more.sql", sql: "CREATE TABLE tenure.more (n integer);"))
            sql.functions.append(
                FunctionFile(
                    name: "more/more.sql",
                    sql: "CREATE FUNCTION tenure.more_of_it() … FROM tenure.job"))
        }
        #expect(more.isEmpty)
        let aged = changed(marks) { sql in
            for (place, file) in sql.functions.enumerated()
            where file.name == "lanes/age_queues.sql" {
                sql.functions[place] = FunctionFile(name: file.name, sql: file.sql + "\nSELECT 1;")
            }
        }
        #expect(aged.contains("age queues") && !aged.contains("claim for 1"), "\(aged.sorted())")
        let index = changed(marks) { sql in
            sql.migrations.append(
                Migration(
                    name: "9999_more.sql", sql: "CREATE INDEX more ON tenure.job_history (key);"))
        }
        #expect(index.count == marks.count)
    }

    private func changed(
        _ marks: [String: String], by change: (inout MigrationSet) -> Void
    ) -> Set<String> {
        var sql = MigrationSet.tenure
        change(&sql)
        let others = Reach(sql, runner: "").marks(of: Operation.all)
        return Set(marks.filter { others[$0.key] != $0.value }.keys)
    }
}

extension Bench {
    /// The functions that an operation called and the tables that it locked, as PostgreSQL noted
    /// before it was rolled back; none where it failed.
    fileprivate func touched(by operation: Operation) async throws -> [String] {
        // What is not counted yet would be seen in the next transaction, too.
        try await sideA.query("SELECT pg_stat_force_next_flush()")
        let side = Side("A", operation, sideA)
        await side.start(steps: operation.steps.count)
        if side.state.isOver { return [] }
        try await sideA.simple("SET CONSTRAINTS ALL IMMEDIATE")
        let names = try await sideA.query(
            """
            SELECT funcname::text FROM pg_stat_xact_user_functions WHERE schemaname = 'tenure'
            UNION
            SELECT r.relname::text
            FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
            JOIN pg_class r ON r.oid = coalesce(pg_partition_root(c.oid), c.oid)
            WHERE l.pid = pg_backend_pid() AND c.relnamespace = 'tenure'::regnamespace
              AND c.relkind IN ('r', 'p')
            """
        ) { try $0.decode(0, as: String.self) }
        try await sideA.simple("ROLLBACK")
        return names
    }
}
