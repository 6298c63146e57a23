import Foundation
import Tenure
import TestSupport
import Testing

@testable import TenureCLI

/// What somebody may do who has a login of one role, and means harm.
@Suite(.serialized, .disabled(if: TestPostgres.isPooled, "the pooler knows one user"))
struct HostileTests {
    @Test func `hostile statements work for the roles of the table, and for no other`()
        async throws
    {
        let bench = try await HostileBench()
        #expect(HostileStatement.all.count >= 60)
        #expect(Set(HostileStatement.all.map(\.sql)).count == HostileStatement.all.count)
        for statement in HostileStatement.all {
            var may = ""
            for (role, letter) in zip(ProductRole.allCases, StatementRoles.letters) {
                let error = try await bench.tried(statement, by: role)
                may.append(error == nil ? letter : "-")
                // Refused for what it is, and not for how it is written.
                let states = statement.isRefusedToAll ? ["42501", "TN003", "23505"] : ["42501"]
                if let error, !states.contains(error.sqlState ?? "") {
                    Issue.record("\(statement.name), as \(role): \(error)")
                }
            }
            #expect(may == statement.roles, "\(statement.name): \(statement.sql)")
        }
    }

    @Test func `what is refused to roles would do what it says`() async throws {
        let bench = try await HostileBench()
        for statement in HostileStatement.all {
            let error = try await bench.tried(statement, by: nil)
            if statement.isRefusedToAll {
                #expect(["TN003", "23505"].contains(error?.sqlState), "\(statement.sql)")
            } else {
                #expect(error == nil, "\(statement.name): \(error.map { "\($0)" } ?? "")")
            }
        }
    }

    @Test func `advisory locks of anybody hold up no sweep, no partition and no migration`()
        async throws
    {
        let bench = try await HostileBench()
        let producer = try #require(bench.logins[.producer])
        // All that were ever asked for, and those that a reader of the sources would guess.
        for name in [
            "sweep_batches", "trip_breakers", "make_partitions", "queue_capacity", "roles",
            "migration",
        ] {
            try await producer.simple(
                """
                SELECT pg_advisory_lock(hashtext('tenure.\(name)'));
                SELECT pg_advisory_lock(hashtext('tenure.\(name)'), hashtext(parent))
                FROM unnest('{attempt_error, job_history_ended, job_history_discarded, default}'
                            ::text[]) AS parent
                """)
        }
        let owner = bench.bench.connection
        try await owner.simple(
            """
            UPDATE tenure.batch SET ending_at = now(), ending_by = 'me';
            SET lock_timeout = '1s';
            SELECT tenure.sweep_batches(NULL, 10);
            SELECT tenure.prepare_history('attempt_error', 9);
            INSERT INTO tenure.queue (name, capacity) VALUES ('small', 1);
            SELECT tenure.read_capacity('small')
            """)
        let ended = try await owner.query(
            "SELECT ended_at IS NOT NULL FROM tenure.batch"
        ) { try $0.decode(0, as: Bool.self) }
        #expect(ended == [true])
        #expect(try await owner.query("SELECT FROM tenure.queue_capacity") == 1)
        let up = try await bench.bench.fixture.tenure.run("migrate", "up")
        #expect(up.code == 0, "\(up.errors)")
    }

    @Test func `names of the caller's own stand in for nothing in a function`() async throws {
        let bench = try await HostileBench()
        let producer = try #require(bench.logins[.producer])
        let owner = bench.bench.connection
        // The owner lets everybody have schemas: the worst that a database can be.
        let database = try await owner.query("SELECT quote_ident(current_database())") {
            try $0.decode(0, as: String.self)
        }[0]
        try await owner.simple("GRANT CREATE ON DATABASE \(database) TO PUBLIC")
        try await producer.simple(Self.trap)
        try await producer.simple(
            """
            SET search_path = trap, pg_temp, pg_catalog;
            SELECT * FROM tenure.enqueue('k', key => 'b');
            SELECT * FROM tenure.enqueue('k', key => 'b', mode => 'keeping');
            SELECT * FROM tenure.enqueue_jobs('[{"kind": "k"}]');
            SELECT * FROM tenure.read_end('\(HostileStatement.ended)');
            SELECT * FROM tenure.read_capacity('default')
            """)
        let caught = try await owner.query("SELECT who FROM trap.caught") {
            try $0.decode(0, as: String.self)
        }
        let name = try await owner.query("SELECT current_user::text") {
            try $0.decode(0, as: String.self)
        }
        #expect(!caught.contains(name[0]), "\(caught)")
    }

    /// Tables, functions and operators that would note whose rights they were run with.
    private static let trap = """
        CREATE SCHEMA trap;
        GRANT USAGE ON SCHEMA trap TO PUBLIC;
        CREATE TABLE trap.caught (who text);
        GRANT ALL ON trap.caught TO PUBLIC;
        CREATE FUNCTION trap.note() RETURNS void LANGUAGE sql AS
            'INSERT INTO trap.caught VALUES (current_user)';
        CREATE FUNCTION trap.same(text, text) RETURNS boolean LANGUAGE plpgsql AS
            'BEGIN PERFORM trap.note(); RETURN $1 OPERATOR(pg_catalog.=) $2; END';
        CREATE OPERATOR trap.= (LEFTARG = text, RIGHTARG = text, FUNCTION = trap.same);
        CREATE FUNCTION trap.same(uuid, uuid) RETURNS boolean LANGUAGE plpgsql AS
            'BEGIN PERFORM trap.note(); RETURN $1 OPERATOR(pg_catalog.=) $2; END';
        CREATE OPERATOR trap.= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = trap.same);
        CREATE FUNCTION trap.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql AS
            'BEGIN PERFORM trap.note(); RETURN pg_catalog.now(); END';
        CREATE FUNCTION trap.octet_length(text) RETURNS integer LANGUAGE plpgsql AS
            'BEGIN PERFORM trap.note(); RETURN 1; END';
        CREATE FUNCTION trap.current_setting(text) RETURNS text LANGUAGE plpgsql AS
            'BEGIN PERFORM trap.note(); RETURN ''on''; END';
        CREATE TEMPORARY TABLE job (id uuid);
        CREATE TEMPORARY TABLE subject (id uuid);
        """
}
