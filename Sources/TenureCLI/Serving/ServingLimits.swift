/// What a client of a server may take. Nothing here is about who asks: it holds for everybody.
struct ServingLimits: Sendable {
    /// Open at the same time; the one that has been idle the longest makes room for the next.
    var connections = 64
    /// From the accept, or from the last answer's end, to the last byte of the next request.
    var request: Duration = .seconds(10)
    /// From there to the last byte of its answer.
    var answer: Duration = .seconds(60)
    /// Of a request's head.
    var headerBytes = 16_384
    var headerFields = 100
    /// The largest form of the console, of an item with a long text.
    var bodyBytes = 1 << 20
    /// For who has sent more, to read why it is refused.
    var farewell: Duration = .seconds(2)
    /// What may still come meanwhile.
    var farewellBytes = 2 << 20

    /// For a process that may have `descriptors` open: a quarter of them at most are clients'.
    static func within(_ descriptors: Int) -> ServingLimits {
        var limits = ServingLimits()
        limits.connections = max(4, min(limits.connections, descriptors / 4))
        return limits
    }
}
