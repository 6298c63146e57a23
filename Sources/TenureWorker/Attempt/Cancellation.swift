/// An error of another library that stands for a cancellation, such as a driver's own "query
/// cancelled". Conform it, and a run that was asked to stop and throws it has stopped, not failed.
///
/// `CancellationError` and `URLError.cancelled` need no conformance.
public protocol CancellationRepresentable: Error {
    /// Whether this error, rather than others of its type, is a cancellation.
    var representsCancellation: Bool { get }
}

/// Cancellation is not an error, however deep it is wrapped.
enum Cancellation {
    /// Whether an error is a cancellation or carries one: as an enum's payload, in a stored
    /// property such as `cause` or `underlyingError` (a superclass's too), in a collection, or in
    /// the `userInfo` of an `NSError`. Errors are followed to any depth.
    static func isCancellation(_ error: any Error) -> Bool {
        var walk = Walk()
        walk.visit(error)
        while let value = walk.next() {
            if let error = value as? any Error, represents(error) { return true }
            walk.visitChildren(of: value)
        }
        return false
    }

    private static func represents(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        if let error = error as? any CancellationRepresentable {
            return error.representsCancellation
        }
        return error._domain == "NSURLErrorDomain" && error._code == -999  // .cancelled
    }
}

/// What an error holds, level by level: without recursion, because chains may be long, and each
/// object once, because chains may be circles.
private struct Walk {
    /// Values that are no errors, but may hold one: a bound, because they may be anything.
    private var otherValues = 10_000
    private static let mostChildren = 256
    private var waiting: [Any] = []
    private var head = 0
    private var seen: Set<ObjectIdentifier> = []

    mutating func next() -> Any? {
        guard head < waiting.count else { return nil }
        defer { head += 1 }
        return waiting[head]
    }

    mutating func visit(_ value: Any) {
        let isError = value is any Error
        if !isError {
            guard otherValues > 0, Self.mayHoldErrors(value) else { return }
            otherValues -= 1
        }
        if type(of: value) is AnyClass {
            guard seen.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
        }
        waiting.append(value)
    }

    mutating func visitChildren(of value: Any) {
        var mirror: Mirror? = Mirror(reflecting: value)
        while let level = mirror {
            for child in level.children.prefix(Self.mostChildren) { visit(child.value) }
            mirror = level.superclassMirror
        }
    }

    /// Values, but no objects: those may be changing under the eyes of whoever reads them.
    private static func mayHoldErrors(_ value: Any) -> Bool {
        switch Mirror(reflecting: value).displayStyle {
        case .optional, .tuple, .collection, .set, .dictionary, .enum, .struct: true
        default: false
        }
    }
}
