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
}
