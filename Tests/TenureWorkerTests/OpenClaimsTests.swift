import Synchronization
import Tenure
import Testing

@testable import TenureWorker

@Suite struct OpenClaimsTests {
    @Test func `claims that began later don't count`() {
        let claims = OpenClaims()
        let first = claims.begin()
        let seen = claims.last
        let second = claims.begin()
        #expect(!claims.haveEnded(upTo: seen))
        claims.end(first)
        #expect(claims.haveEnded(upTo: seen))
        #expect(!claims.haveEnded(upTo: claims.last))
        claims.end(second)
        #expect(claims.haveEnded(upTo: claims.last))
    }

    @Test func `a run that no answer brought goes back although claims never pause`() {
        let handedBack = Mutex<[RunRef]>([])
        let claims = OpenClaims()
        let holder = LeaseHolder(
            registry: RunRegistry(), time: ReactorTime(.shared), observer: Unheard(),
            openClaims: claims, progress: ProgressBoard(), queues: [:],
            handBack: { run in handedBack.withLock { $0.append(run) } }, stop: {})
        let run = RunRef(job: JobID(), fence: Fence(7))
        var open = claims.begin()
        holder.unknownRuns([run])
        holder.unknownRuns([run])
        // The claim that was open when it was first seen may have brought it.
        #expect(handedBack.withLock { $0.isEmpty })
        let next = claims.begin()
        claims.end(open)
        open = next
        holder.unknownRuns([run])
        #expect(handedBack.withLock { $0 } == [run])
        claims.end(open)
    }
}

private struct Unheard: EventObserver { func observe(_ event: Event) {} }
