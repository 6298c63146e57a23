import Tenure
import TenureWorker

/// Where a note stands.
struct NotePlace: Hashable {
    let session: Int64
    let queue: QueueName
}

/// What sessions say of what has begun: of runs that are not over nothing is taken back.
extension Oracle {
    func didNote(_ note: BegunNote, _ process: SimulatedProcess) {
        let place = NotePlace(session: note.session.rawValue, queue: note.queue)
        if let last = notes[place], last.number >= note.number {
            fail("note \(note.number) of session \(place.session) left after \(last.number)")
        }
        notes[place] = note
        unanswered[place, default: []].append(note)
        for record in running(in: process)
        where record.session == place.session && record.run.queue == place.queue
            && store.index(record.ref) != nil && !note.contains(record.run.fence.rawValue)
        {
            fail("\(record.name) runs, and note \(note.number) names it no more")
        }
    }

    func acknowledged(_ note: BegunNote) {
        let place = NotePlace(session: note.session.rawValue, queue: note.queue)
        answeredNotes[place] = note
        unanswered[place]?.removeAll { $0.number < note.number }
    }

    /// An attempt is a handler that began: a death costs those that had, and no others. What is
    /// named just before it begins may be charged all the same; so may what the next note takes
    /// back, where that has not come yet.
    func judgeCharge(of job: JobRow, isCharged: Bool) {
        let fence = job.fence ?? 0
        let place = NotePlace(session: job.session ?? 0, queue: job.queue)
        if isCharged {
            if !unanswered[place, default: []].contains(where: { $0.contains(fence) }) {
                fail("job \(job.id.short) fence \(fence) was charged, and nobody has named it")
            }
        } else {
            reached.add(.reclaimedUnbegun)
            if runs[fence] != nil, answeredNotes[place]?.contains(fence) ?? false {
                fail("job \(job.id.short) fence \(fence) had begun, and costs no attempt")
            }
        }
    }
}
