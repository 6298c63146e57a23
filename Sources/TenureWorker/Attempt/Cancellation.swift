/// Cancellation is not an error, however deep it is wrapped.
enum Cancellation {
    /// Whether an error is a `CancellationError` or carries one: as an enum's payload, a stored
    /// property such as `cause` or `underlyingError`, or an element of a collection of errors.
    static func isCancellation(_ error: any Error) -> Bool { carries(error, depth: 0) }

    private static let deepest = 16

    private static func carries(_ value: Any, depth: Int) -> Bool {
        if value is CancellationError { return true }
        guard depth < deepest else { return false }
        for child in Mirror(reflecting: value).children
        where carriesErrors(child.value) && carries(child.value, depth: depth + 1) {
            return true
        }
        return false
    }

    /// Errors, and what may hold one: optionals, enum payloads, tuples and collections.
    private static func carriesErrors(_ value: Any) -> Bool {
        if value is any Error { return true }
        switch Mirror(reflecting: value).displayStyle {
        case .optional, .tuple, .collection, .enum, .dictionary: return true
        default: return false
        }
    }
}
