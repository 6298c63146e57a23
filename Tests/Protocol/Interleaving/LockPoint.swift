/// Where the first of two transactions is stopped while the second runs.
enum LockPoint: Sendable, CustomStringConvertible {
    /// Between two of its steps, or between its last one and COMMIT.
    case step(Int)
    /// Where it waits for a row, with the locks it has taken until then.
    case row(LockedRow)
    /// Between two statements of a function.
    case gate(String)

    var description: String {
        switch self {
        case .step(let count): "after step \(count)"
        case .row(let row): "at \(row.name)"
        case .gate(let name): "at gate \(name)"
        }
    }

    var kind: String {
        switch self {
        case .step: "step"
        case .row: "row"
        case .gate: "gate"
        }
    }
}

struct LockedRow: Sendable, Hashable {
    let name: String
    /// Locks it, in a transaction of the keeper's.
    let statement: String

    init(name: String, statement: String) {
        self.name = name
        self.statement = statement
    }

    /// `subject_lock k1` or `job 9`: for operations whose locks can't be looked at afterwards.
    init(_ name: String) {
        let parts = name.split(separator: " ")
        let condition = parts[0] == "job" ? "id = world.id(\(parts[1]))" : "key = '\(parts[1])'"
        self.init(
            name: name,
            statement: "SELECT kind FROM tenure.\(parts[0]) WHERE \(condition) FOR UPDATE")
    }
}
