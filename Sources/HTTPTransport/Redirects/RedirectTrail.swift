/// The way a fetch has come, and where it may not go.
struct RedirectTrail {
    private(set) var current: Target
    private(set) var redirects: [Redirect] = []
    private var visited: Set<String>

    init(_ first: Target) {
        current = first
        visited = [first.url]
    }

    var hop: RedirectHop {
        RedirectHop(index: redirects.count, url: current.url, from: redirects.last?.from)
    }

    /// - Throws: `insecureRedirect` or `redirectLoop`.
    mutating func follow(to next: Target, status: Int) throws {
        guard !(current.scheme == "https" && next.scheme == "http") else {
            throw HTTPTransportError(
                .insecureRedirect, url: current.url, detail: "to \(next.url.redactedURL)")
        }
        redirects.append(Redirect(status: status, from: current.url, to: next.url))
        guard visited.insert(next.url).inserted else {
            throw HTTPTransportError(
                .redirectLoop, url: next.url, detail: "after \(redirects.count) redirects")
        }
        current = next
    }
}
