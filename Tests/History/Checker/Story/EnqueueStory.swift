/// One job that a producer sent, and what it was told.
struct EnqueueStory {
    let entry: Event.Entry
    let sent: Event
    let answered: Event?
    let process: ProcessStory

    /// Absent when the producer died, or gave up.
    var answer: Event.Answer { answered?.answer ?? .unknown }

    /// The id that stands for it: another job's when it was merged into that.
    var stands: JobID {
        answered?.entries.first { $0.job == entry.job }?.became ?? entry.job
    }

    var places: [Place] { [sent.place, answered?.place].compactMap(\.self) }
}

/// An operator's retry of a finished job, which is a new job.
struct RetryStory {
    let sent: Event
    let answered: Event

    var places: [Place] { [sent.place, answered.place] }
}
