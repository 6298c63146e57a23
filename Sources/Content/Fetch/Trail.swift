/// The redirects of a job that goes on in another host's lane: it travels in the payload.
struct Trail: Sendable, Codable {
    struct Hop: Sendable, Codable {
        let url: String
        let status: Int
    }
    /// The URLs that were asked so far, each with the redirect it answered.
    var hops: [Hop] = []
    /// What is to be asked next.
    var next: String
    /// Not for its head alone: that was refused.
    var asksWhole: Bool?
}
