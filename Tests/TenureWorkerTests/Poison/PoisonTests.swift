import Tenure
import Testing

/// One bad row stops nothing else (docs/decisions/poisoned-rows.md): a spoilt row of each table,
/// and beside it every sweep and bulk statement, each with healthy work of its own.
@Suite struct PoisonTests {
    @Test(arguments: Poison.all)
    func `every sweep does its work beside a poisoned row`(_ poison: Poison) async throws {
        let scene = try await PoisonScene(poison)
        for sweep in PoisonedSweep.all {
            do {
                let works = try await sweep.works(scene)
                #expect(works, "\(poison.testDescription): \(sweep.name)")
            } catch {
                Issue.record("\(poison.testDescription): \(sweep.name): \(error)")
            }
        }
        await scene.fixture.pool.close()
    }

    /// Whatever a row of history is refused for: here a trigger stands for it.
    @Test func `an end that can't be settled is set aside, and seen by the doctor`() async throws {
        let fixture = try await WorkerFixture("poisoned-end")
        try await fixture.pool.simple(Self.twoEndsOfWhichOneIsRefused)
        // Whatever comes behind one that is refused is settled in another transaction.
        var settled: [String] = []
        repeat {
            settled.removeAll { $0 == "more" }
            settled += try await fixture.pool.query(
                "SELECT s.became FROM tenure.settle_ends() AS s"
            ) { try $0.decode(0, as: String.self) }
        } while settled.contains("more")
        #expect(settled == ["cancelled"])
        #expect(try await fixture.count("tenure.job JOIN made ON waiter = id WHERE n = 1") == 1)
        #expect(
            try await fixture.count(
                "tenure.job_end WHERE again_at > clock_timestamp() + interval '50 s'") == 1)
        try await fixture.pool.simple(
            """
            UPDATE tenure.job SET created_at = created_at - interval '5 min';
            UPDATE tenure.job_end SET ended_at = ended_at - interval '5 min';
            """)
        let inspector = Inspector(pool: fixture.pool)
        #expect(try await inspector.unsettled().count == 1)
        #expect(try await inspector.overdue().stranded == 0)
        try await fixture.pool.simple(
            """
            DROP TRIGGER poison ON tenure.job_history;
            UPDATE tenure.job_end SET again_at = clock_timestamp();
            """)
        _ = try await fixture.pool.query("SELECT * FROM tenure.settle_ends()")
        #expect(try await fixture.count("tenure.job") == 0)
        #expect(try await inspector.unsettled().isEmpty)
    }

    /// Two jobs that ended, a waiter of each, and a history that doesn't take the first waiter.
    private static let twoEndsOfWhichOneIsRefused = """
        CREATE TABLE public.made AS
        SELECT e.ordinal AS n, e.id AS root, NULL::uuid AS waiter
        FROM tenure.enqueue_jobs('[{"kind": "k"}, {"kind": "k"}]') AS e;
        UPDATE made SET waiter = (SELECT e.id FROM tenure.enqueue_jobs(jsonb_build_array(
            jsonb_build_object('kind', 'k', 'waits', jsonb_build_array(
                jsonb_build_object('completed', root))))) AS e);
        SELECT tenure.cancel_job(root, 'eve') FROM made;
        CREATE FUNCTION public.poison() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.id = (SELECT m.waiter FROM public.made m WHERE m.n = 1) THEN
                RAISE 'poisoned';
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER poison BEFORE INSERT ON tenure.job_history
        FOR EACH ROW EXECUTE FUNCTION public.poison();
        """
}
