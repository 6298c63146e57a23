import Content
import Tenure
import TenureFoundation

/// A job, and what keeps it from running; without what its type calls secret, and without the
/// secrets of URLs.
struct JobReport: Report {
    let job: JobDetail
    /// Empty for a finished job.
    let delays: [JobDelay]
    /// All lines of its log, and not only the last few.
    var showsWholeLog = false

    var text: String { JobStory.text(self) }

    func encode(to encoder: any Encoder) throws {
        try JobDocument(job: job, delays: delays, shows: URLRedaction.text).encode(to: encoder)
    }
}

extension JobDelay {
    /// For people, one line.
    var line: String { detail + (until.map { ", until \(TimeText.full($0))" } ?? "") }
}
