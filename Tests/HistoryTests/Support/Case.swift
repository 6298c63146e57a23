import History
import Testing

/// A made-up world, and the rules that must catch it: none where nothing is wrong.
struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let rules: Set<Int>
    let make: @Sendable (inout World) -> Void

    /// A world that only this rule may find fault with.
    static func caught(
        by rule: Int, _ what: String, _ make: @escaping @Sendable (inout World) -> Void
    ) -> Case {
        Case(testDescription: what, rules: [rule], make: make)
    }

    /// A world that breaks several rules at once, and can't break one alone.
    static func caught(
        by rules: Set<Int>, _ what: String, _ make: @escaping @Sendable (inout World) -> Void
    ) -> Case {
        Case(testDescription: what, rules: rules, make: make)
    }

    /// A world that looks bad and is right.
    static func allowed(
        _ what: String, _ make: @escaping @Sendable (inout World) -> Void
    ) -> Case {
        Case(testDescription: what, rules: [], make: make)
    }

    func check() async throws {
        var world = World()
        make(&world)
        let violations = try await world.verdict().violations
        let told = violations.map { "\($0.rule): \($0.sentence)" }.joined(separator: "\n")
        #expect(Set(violations.map(\.rule)) == rules, "\(told)")
        #expect(violations.allSatisfy { !$0.evidence.isEmpty }, "\(told)")
    }
}
