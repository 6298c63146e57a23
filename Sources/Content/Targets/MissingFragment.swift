/// A target's fragment that is missing, in however many places.
struct MissingFragment: Sendable {
    let target: String
    let name: String
}
