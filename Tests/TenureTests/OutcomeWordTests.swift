import TenurePostgres
import TestSupport
import Testing

@testable import Tenure

/// The database's words for what became of a job, and those of a schema that is newer.
@Suite struct OutcomeWordTests {
    @Test func `the schema's states and outcomes are the cases of JobStatus`() async throws {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 1)
        let words = try await pool.query(
            """
            SELECT unnest(enum_range(NULL::tenure.job_state))::text
            UNION ALL SELECT unnest(enum_range(NULL::tenure.job_outcome))::text
            """
        ) { try $0.decode(0, as: String.self) }
        #expect(words.sorted() == JobStatus.allCases.map(\.rawValue).sorted())
    }

    @Test func `an outcome is called what its job's state is`() {
        for status in JobStatus.allCases {
            #expect(RunOutcome(text: status.rawValue) == .job(status))
            #expect("\(RunOutcome.job(status))" == status.rawValue)
        }
    }

    @Test func `an outcome that a newer schema has brought is passed on, and nothing follows`() {
        let outcome = RunOutcome(text: "frozen")
        #expect(outcome == .other("frozen") && "\(outcome)" == "frozen")
        #expect(!outcome.isToRunAgain)
    }

    @Test func `a run that a newer schema has another verdict on is not to go on`() {
        #expect(Verdict(tag: "frozen", number: nil, detail: nil) == .lost)
        let newer = Verdict(tag: "superseded", number: 3, detail: nil)
        #expect(newer == .superseded(by: Generation(3)))
    }

    @Test func `an answer that a newer schema has brought is an error with question and answer`() {
        #expect {
            try JobResult.Result(answer: "frozen", to: "a cancellation")
        } throws: { error in
            (error as? TenureError)?.code == .schemaMismatch
                && "\(error)".contains("\"frozen\" to a cancellation")
        }
    }
}
