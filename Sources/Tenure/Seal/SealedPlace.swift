/// Where something sealed is read.
package struct SealedPlace: Sendable {
    let content: PayloadContext.Content
    /// Whose it is.
    var job: JobID
    /// Nil where the reader doesn't know it, and what is read there isn't bound to it.
    let kind: JobKind?
    /// The job's.
    let key: String?

    package init(
        _ content: PayloadContext.Content, of job: JobID, kind: JobKind? = nil, key: String? = nil
    ) {
        (self.content, self.job, self.kind, self.key) = (content, job, kind, key)
    }

    /// For people.
    var words: String { "\(content.words) of job \(job)" }

    /// As it must have been sealed; nil where that can't be.
    func context(of sealed: SealedJSON) -> PayloadContext? {
        if sealed.job != nil { return PayloadContext(content, of: .job(job), kind: kind) }
        return key.map { PayloadContext(content, of: .key($0), kind: kind) }
    }
}
