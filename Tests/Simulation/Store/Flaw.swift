/// A check that a broken variant of the store leaves out, or makes too often: the oracle has to see
/// it, or it is blind there.
package enum Flaw: Sendable {
    /// A snapshot is trusted with a key's jobs.
    case trustsJobs
    /// A snapshot is trusted with the subject.
    case trustsSubjects
    /// A caller is refused for what became of others' keys.
    case refusesForNothing
    /// Nobody writes down how a job ended that others wait for.
    case writesNoEnd
    /// A waiter is let go before all that it waits for is over.
    case letsGoEarly
}
