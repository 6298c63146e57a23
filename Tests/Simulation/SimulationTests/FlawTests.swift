import Simulation
import Testing

/// The proof that the oracle would notice: the same simulation on broken stores.
struct FlawTests {
    @Test(
        arguments: [
            (.trustsJobs, "waits for a run that is over"),
            (.trustsJobs, "is told of job"),
            (.trustsSubjects, "are pending"),
            (.refusesForNothing, "nobody had touched its keys"),
            (.writesNoEnd, "promise 5"),
            (.letsGoEarly, "is not over"),
        ] as [(Flaw, String)])
    func `A store with a check too few, or too many, is found out`(
        flaw: Flaw, finding: String
    ) {
        let isFound = (1...4000).contains { seed in
            Simulation(seed: seed, flaw: flaw).run().violation?.contains(finding) ?? false
        }
        #expect(isFound)
    }
}
