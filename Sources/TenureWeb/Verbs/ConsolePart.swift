/// More of a console than the queue's own: entries of the menu, pages and verbs of another part.
package protocol ConsolePart: Sendable {
    /// Behind those of the queue.
    var tabs: [Tab] { get }

    /// What programs find at its addresses.
    var description: APIDescription { get }

    /// - Returns: nil for an address that is none of this part's.
    /// - Throws: `NotThere`, `BadRequest`.
    func page(at path: [String], _ query: Query) throws -> (any Page)?

    /// Does what is asked for with a POST.
    /// - Parameter whom: who does it, for those who look later.
    /// - Returns: nil for an address at which this part does nothing.
    func act(
        _ path: [String], _ form: Query, _ look: Look, by whom: String
    ) async throws -> VerbResult?
}
