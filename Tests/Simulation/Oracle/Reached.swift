/// What a simulation got to. Over many seeds each must have been reached, or the simulation has
/// become blind to it.
package enum Reached: Int, CaseIterable, Sendable {
    case completed, retried, discarded, snoozed, cancelled, superseded
    case handedBack, held, reclaimed, unbegun, reclaimedUnbegun
    case supersededWhileRunning, cancelledWhileRunning, timedOut, shutdownWhileRunning
    case leaseExpiredWhileRunning, lostWhileRunning, leaseExpired, leaseRegained
    case diedAlive, declaredDead, lateResult, unknownCommitted, unknownRolledBack, unknownLeftOpen
    case claimAnswerLost, busyEnd, wakeupDoubled, paused, crashed, partitioned, storeAway
    case storeCrashed, clockStepped, shutDown, restarted, stubborn, wrappedCancellation
    case unaskedCancellation, childTasks, checkpoint, followUp, lateSecondCommit, lateAfterRetry
    case refusedWrite, kept, coalesced, debounced, waitedForKey, laneFull, laneBurst, queueFull
    case queuePaused, keptInOrder
    case openSupersede, operatorRetry, unacknowledgedEnqueue
    case repeatableReadRefused, repeatableReadPassed, serializableRefused, serializablePassed
    case committedTogether, refusedTogether
    case letGo, cancelledWithAnother
}

package struct ReachedSet: Sendable {
    package private(set) var bits: UInt128 = 0
    mutating func add(_ one: Reached) { bits |= 1 << UInt128(one.rawValue) }
    package func contains(_ one: Reached) -> Bool { bits & (1 << UInt128(one.rawValue)) != 0 }
}
