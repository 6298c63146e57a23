public import Tenure
import TenureFoundation

/// The rules by which findings don't count.
public struct IgnoreRules: Sendable {
    private let pool: PostgresPool
    private var source = ActionSource.library

    public init(pool: PostgresPool) { self.pool = pool }

    /// The same for those who act from elsewhere than a program.
    package func acting(from source: ActionSource) -> IgnoreRules {
        var rules = self
        rules.source = source
        return rules
    }

    static let longestPattern = 1000

    /// Makes a rule, which counts from now on.
    /// - Parameters:
    ///   - target: a pattern; secrets are taken out of it, as they are of what it is compared with.
    ///   - until: the last day, in UTC, as `2027-01-31`; nil for good.
    /// - Throws: `ContentError` with `.badOption`.
    public func add(
        target: String, code: String? = nil, page: String? = nil, reason: String, by whom: String,
        until: String? = nil
    ) async throws -> IgnoreRule {
        try Self.check(
            target: target, code: code, page: page, reason: reason, by: whom, until: until)
        let add = AddIgnoreRule(
            target: URLRedaction.reference(target), code: code,
            page: page.map(URLRedaction.reference), reason: reason, whom: whom, until: until)
        let about: [String: PayloadValue] = [
            "name": .text(URLRedaction.reference(target)),
            "code": code.map { PayloadValue.text($0) } ?? .null,
        ]
        let action = Doer(whom, from: source).action(
            "add", "ignore rule", about, because: reason)
        guard let rule = try await pool.change(add, noted: action).first else {
            throw ContentError(.badOption, "until is \(until ?? "nothing"); give a day to come")
        }
        return rule
    }

    /// - Throws: `ContentError` with `.badOption`, naming the part.
    static func check(
        target: String, code: String?, page: String?, reason: String, by whom: String,
        until: String?
    ) throws {
        for (name, text) in [
            ("target", target), ("page", page), ("code", code), ("reason", reason), ("by", whom),
        ] {
            guard let text else { continue }
            try Bounds.check("\(name)'s length", text.utf8.count, 1...longestPattern)
        }
        try until.map(requireDay)
        let texts = [target, code, page, reason, whom, until].compactMap(\.self)
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw ContentError(.badOption, "a text has a NUL in it; leave it out")
        }
    }

    static func requireDay(_ text: String) throws {
        let day = Date.ISO8601FormatStyle.iso8601.year().month().day()
        // Reason for `try?`: no date is told below.
        guard text.utf8.count == 10, let date = try? Date(text, strategy: day),
            date.formatted(day) == text
        else {
            throw ContentError(
                .badOption, "until is \"\(text)\"; give a day that there is, as 2027-01-31")
        }
    }

    /// All of them, those that have ended too, in the order in which they were made.
    public func list() async throws -> [IgnoreRule] { try await ListIgnoreRules.all(in: pool) }

    /// - Parameter whom: who does it, for those who look later; nil: the database's login.
    /// - Returns: what was removed; nil where there is no such rule.
    public func remove(_ id: Int64, by whom: String? = nil) async throws -> IgnoreRule? {
        let action = Doer(whom, from: source).action("remove", "ignore rule", ["name": .whole(id)])
        return try await pool.change(RemoveIgnoreRule(rule: id), noted: action).first
    }
}
