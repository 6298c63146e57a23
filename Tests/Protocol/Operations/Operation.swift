/// One of the protocol's operations: a transaction of one step or several, at the world's rows.
struct Operation: Sendable {
    let name: String
    /// Each a statement that returns text or nothing; `$me` stands for the side, `A` or `B`.
    let steps: [String]
    /// Run before, by somebody else, and committed.
    var prepare: String?
    /// The rows it waits for, where a failure hides them: they are let go with the transaction.
    var alsoWaitsFor: [String] = []
    /// What it makes and others may make too: rows that nobody can see yet; and what it looks at
    /// without a lock.
    var makes: [String] = []
    /// Whether it may wait for what a user's open transaction holds.
    var waitsForUsers = true
    /// It locks a table, so that it meets everybody, and gives up rather than wait for long.
    var locksTables = false
    /// A user's transaction, which may stay open for as long as the user likes.
    var isUsers = false
    /// What its BEGIN says besides.
    var isolation: String?
    /// It leaves a job that waits for nothing, for the sweep to find.
    var strands = false
    /// It deletes a job that is over: who wants to wait for that one hears that there is none.
    var forgets = false
    /// With another such one it closes a circle of jobs that wait: the later is refused.
    var closesCircle = false

    init(_ name: String, _ steps: String...) {
        self.init(name: name, steps: steps)
    }

    private init(name: String, steps: [String]) {
        self.name = name
        self.steps = steps
    }

    /// It fails with TN001; a list of subjects and jobs that it waits for first.
    func waiting(for rows: String...) -> Operation {
        var copy = self
        copy.alsoWaitsFor = rows
        return copy
    }

    /// What it looks at without locking it, and decides by.
    func lookingAt(_ rows: String...) -> Operation {
        var copy = self
        copy.makes += rows
        return copy
    }

    func making(_ rows: String...) -> Operation {
        var copy = self
        copy.makes = rows
        return copy
    }

    func prepared(by sql: String) -> Operation {
        var copy = self
        copy.prepare = sql
        return copy
    }

    var lockingTables: Operation {
        var copy = self
        copy.locksTables = true
        return copy
    }

    /// It waits for nothing that a user's open transaction may hold.
    var waitingForNobody: Operation {
        var copy = self
        copy.waitsForUsers = false
        return copy
    }

    /// It leaves a job that waits for nothing.
    var stranding: Operation {
        var copy = self
        copy.strands = true
        return copy
    }

    var forgetting: Operation {
        var copy = self
        copy.forgets = true
        return copy
    }

    var closingCircle: Operation {
        var copy = self
        copy.closesCircle = true
        return copy
    }

    /// The same as a caller's who keeps the snapshot of the transaction's first statement, and
    /// may have taken it long before.
    func keepingSnapshot(_ level: String) -> Operation {
        var copy = Operation(name: "\(name), \(level)", steps: ["SELECT NULL::text"] + steps)
        copy.prepare = prepare
        copy.alsoWaitsFor = alsoWaitsFor
        copy.makes = makes
        copy.waitsForUsers = waitsForUsers
        copy.isUsers = isUsers
        copy.isolation = " ISOLATION LEVEL \(level)"
        return copy
    }

    private var asUsers: Operation {
        var copy = self
        copy.isUsers = true
        return copy
    }

    static let all =
        (producing + committing + chunks + entering + signalling + following + followingKeys)
        .map(\.asUsers)
        + ending + sessions + operating + batches + waiting + folding + awaited + awaitedKeys
        + tagging

    /// All of them, and those of callers who keep their snapshot.
    static let everybody = all + isolations.flatMap { callers(at: $0) }
}

/// A job of the world by its number.
func id(_ number: Int) -> String { "world.id(\(number))" }
