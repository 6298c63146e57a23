import Tenure
import TenureFoundation

/// What an operation may call or touch, so that a change of the SQL is met again only by those that
/// it can reach: docs/decisions/reach.md.
///
/// By names alone: whoever says `tenure.x` may reach all that is written of `x`, and what that says
/// in turn. It errs to more.
struct Reach {
    /// What is written of each name: files of functions, tables with their indexes, gates.
    private var texts: [String: [String]] = [:]
    private var names: [String: Set<String>] = [:]
    private var digests: [String: UInt64] = [:]
    /// Of what every interleaving does: the world, the checks, the runner.
    private let everywhere: UInt64
    private let shared: Set<String>

    init(_ sql: MigrationSet = .tenure, runner: String) {
        var common = runner + World.sql + Probe.sql + Violations.sql
        shared = Self.mentioned(in: common)
        for migration in sql.migrations {
            for statement in Self.statements(of: migration.sql) {
                let subjects = Self.subjects(of: statement)
                if subjects.isEmpty { common += statement }
                for name in subjects { texts[name, default: []].append(statement) }
            }
        }
        for file in sql.functions where file.name != "rights.sql" {
            let text = Self.bare(file.sql)
            for name in Self.made(in: text) { texts[name, default: []].append(text) }
        }
        for gate in Gate.all { texts[gate.function, default: []].append("\(gate)") }
        everywhere = Self.digest(common)
        for (name, all) in texts {
            names[name] = Self.mentioned(in: all.joined())
            digests[name] = Self.digest(all.joined())
        }
    }

    /// Which names an operation reaches.
    func reached(by operation: Operation) -> Set<String> {
        var found: Set<String> = []
        var next = Self.mentioned(
            in: (operation.steps + [operation.prepare ?? ""]).joined(separator: "\n"))
        next.formUnion(shared)
        while let name = next.popFirst() {
            guard texts[name] != nil, found.insert(name).inserted else { continue }
            next.formUnion((names[name] ?? []).subtracting(found))
        }
        return found
    }

    /// It is another one when anything has changed that the operation may reach.
    func mark(of operation: Operation) -> String {
        let parts = reached(by: operation).sorted().map { "\($0) \(digests[$0] ?? 0)" }
        let whole = ["\(everywhere)", "\(operation)"] + parts
        return String(Self.digest(whole.joined(separator: "\n")), radix: 16)
    }

    private static func digest(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension Reach {
    private static func mentioned(in text: String) -> Set<String> {
        Set(text.matches(of: /\btenure\.([a-z_0-9]+)/).map { String($0.1) })
    }

    private static func made(in text: String) -> Set<String> {
        Set(text.matches(of: /FUNCTION tenure\.([a-z_0-9]+)/).map { String($0.1) })
    }

    /// Without what is only said beside it.
    static func bare(_ text: String, without comment: String = "--") -> String {
        text.split(separator: "\n").filter { !$0.drop { $0 == " " }.starts(with: comment) }
            .joined(separator: "\n")
    }

    private static func statements(of text: String) -> [String] {
        var statements: [String] = []
        var lines: [Substring] = []
        var isQuoted = false
        for line in bare(text).split(separator: "\n") {
            lines.append(line)
            if line.matches(of: /\$\$/).count % 2 == 1 { isQuoted.toggle() }
            guard !isQuoted, line.hasSuffix(";") else { continue }
            statements.append(lines.joined(separator: "\n"))
            lines = []
        }
        return statements + (lines.isEmpty ? [] : [lines.joined(separator: "\n")])
    }

    /// What a statement of a migration is about: of an index, its table. And whom it is of or
    /// refers to: whoever has rows there meets this one, too.
    private static func subjects(of statement: String) -> Set<String> {
        guard statement.prefixMatch(of: /(CREATE|ALTER|COMMENT|INSERT)\s/) != nil,
            let first = statement.firstMatch(of: /\btenure\.([a-z_0-9]+)/)
        else { return [] }
        let others = statement.matches(of: /(?:OF|REFERENCES) tenure\.([a-z_0-9]+)/)
        return Set(others.map { String($0.1) }).union([String(first.1)])
    }
}
