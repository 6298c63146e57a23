import Tenure

/// What goes first among jobs that wait for one host, or for a worker: the nearer somebody is who
/// waits, the sooner. A lane lets none of them wait for good.
enum ContentPriority {
    /// A notice: of the little that is sent, nothing waits behind what is checked.
    static let notice: JobPriority = 1
    /// A fetch that somebody asked for.
    static let asked: JobPriority = 2
    /// A check that somebody started.
    static let watched: JobPriority = 3
    /// A check that was due.
    static let due: JobPriority = 5
    /// A fetch that was due.
    static let refetch: JobPriority = 6
    /// A look that follows from what others have found.
    static let following: JobPriority = 7
}
