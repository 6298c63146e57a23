/// What a job became when a run of it ended, as logs, metrics and traces are told.
package enum RunOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The end is written, and there the job stood then.
    case job(JobStatus)
    /// Its handler's own commit has put it off; whether it was due at once, nobody looked.
    case snoozed
    /// The fence was gone: nothing is written, and the job is another's.
    case late
    /// The database would not take the end: the session gives the job back.
    case unwritten
    /// A newer schema's word. The end is written all the same: an error would have it reported
    /// again, and called late. So the word is passed on, and nothing follows from it here.
    case other(String)

    /// As the database calls it, where the end is written.
    package init(text: String) {
        self = JobStatus(rawValue: text).map(RunOutcome.job) ?? .other(text)
    }

    /// Whether the job may start again without anybody's doing, as far as is known.
    package var isToRunAgain: Bool {
        switch self {
        case .job(.scheduled), .job(.available), .job(.retryable), .snoozed: true
        case .job(.waiting), .job(.held), .job(.running): false
        case .job(.completed), .job(.cancelled), .job(.superseded), .job(.discarded): false
        case .late, .unwritten, .other: false
        }
    }

    package var description: String {
        switch self {
        case .job(let status): status.rawValue
        case .snoozed: "snoozed"
        case .late: "late"
        case .unwritten: "unwritten"
        case .other(let word): word
        }
    }
}
