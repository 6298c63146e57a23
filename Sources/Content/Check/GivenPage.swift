import Web

/// A page that a check begins at.
struct GivenPage: Sendable {
    let url: WebURL
    var line: GivenLine?
}

/// Where a list names it.
struct GivenLine: Sendable, Hashable {
    /// As it was named.
    let list: String
    let line: Int
}
