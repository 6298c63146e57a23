import Tenure
import TenureFoundation
import Testing

@testable import TenureWorker

@Suite struct BegunLogTests {
    private static let session = SessionID(1)

    private static func runs(_ fences: Int64...) -> [RunRef] {
        fences.map { RunRef(job: JobID(), fence: Fence($0)) }
    }

    private static func note(
        _ log: inout BegunLog, _ count: Int, held: [RunRef]
    ) -> BegunNote {
        log.note(next: count, in: .default) { held.contains($0) }
    }

    @Test func `a note names what begins, and nothing that is only claimed`() {
        var log = BegunLog(session: Self.session)
        let runs = Self.runs(5, 6, 7, 9)
        log.add(runs)
        #expect(log.unnamed == 4)
        #expect(Self.note(&log, 2, held: runs).fences == [5...6])
        #expect(log.unnamed == 2)
        #expect(Self.note(&log, 1, held: runs).fences == [5...7])
    }

    @Test func `claims whose runs have all begun are a range each, whatever lies between`() {
        var log = BegunLog(session: Self.session)
        let runs = Self.runs(5, 9, 7) + Self.runs(20, 22)
        log.add(Array(runs.prefix(3)))
        log.add(Array(runs.suffix(2)))
        #expect(Self.note(&log, 4, held: runs).fences == [5...9, 20...20])
        #expect(Self.note(&log, 9, held: runs).fences == [5...9, 20...22])
    }

    @Test func `what is over is named no more, and a run that goes on is`() {
        var log = BegunLog(session: Self.session)
        let runs = Self.runs(1, 2, 3)
        log.add(runs)
        _ = Self.note(&log, 3, held: runs)
        #expect(Self.note(&log, 0, held: [runs[2]]).contains(3))
        #expect(Self.note(&log, 0, held: []).fences.isEmpty)
    }

    @Test func `what is given back is not named later`() {
        var log = BegunLog(session: Self.session)
        let first = Self.runs(1, 2, 3, 4)
        log.add(first)
        _ = Self.note(&log, 2, held: first)
        log.dropUnnamed()
        #expect(log.unnamed == 0)
        let second = Self.runs(5)
        log.add(second)
        #expect(Self.note(&log, 1, held: first + second).fences == [1...2, 5...5])
    }

    @Test func `what doesn't begin after all is taken back, the last first`() {
        var log = BegunLog(session: Self.session)
        let runs = Self.runs(1, 2, 3) + Self.runs(7, 8)
        log.add(Array(runs.prefix(3)))
        log.add(Array(runs.suffix(2)))
        _ = Self.note(&log, 5, held: runs)
        log.takeBack(3)
        #expect(log.unnamed == 3)
        #expect(Self.note(&log, 0, held: runs).fences == [1...2])
        #expect(Self.note(&log, 2, held: runs).fences == [1...3, 7...7])
    }

    @Test func `notes are numbered, and say which older ones may be there`() {
        var log = BegunLog(session: Self.session)
        let first = Self.note(&log, 0, held: [])
        let second = Self.note(&log, 0, held: [])
        #expect(first.number == 1 && second.number == 2 && second.since == 0)
        log.wasAnswered(second)
        #expect(Self.note(&log, 0, held: []).since == 2)
    }
}
