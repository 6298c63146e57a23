/// The kit was asked for what it can't do. One line that says what to do instead.
public struct TestKitError: Error, Sendable, CustomStringConvertible {
    public let description: String
    package init(_ description: String) { self.description = description }
}
