import FaultSupport
import Tenure

/// A job on its way in, and what the log says of it.
struct Draft: Sendable {
    let new: NewJob
    let line: JSONValue
}

/// What is enqueued when: all by the seed.
struct JobMaker {
    /// How long a job works on purpose, at the most, in leases.
    static let longestWork = 2.0
    static let lanes = ["lane-0", "lane-1", "lane-2"]
    static let laneLimit = 2
    static let queueLimit = 3

    var generator: SeededGenerator
    private let name: String
    private let lease: Double
    private var made = 0

    init(name: String, lease: Double, generator: SeededGenerator) {
        self.name = name
        self.lease = lease
        self.generator = generator
    }

    /// Any job.
    mutating func any() throws -> Draft { try draft(way: way(), plan: plan()) }

    /// One that a transaction's caller knows by its own id: it never stands in for another.
    mutating func own() throws -> Draft {
        try draft(way: generator.chance(0.5) ? .superseding : nil, plan: plan())
    }

    mutating func debounced(key: String) throws -> Draft {
        try draft(way: .debounced, plan: Plan(milliseconds: [20]), key: key)
    }

    mutating func superseding(key: String, plan: Plan) throws -> Draft {
        try draft(way: .superseding, plan: plan, key: key)
    }

    mutating func crashing() throws -> Draft {
        var plan = Plan(milliseconds: [50])
        plan.behaviour = .crashing
        return try draft(way: nil, plan: plan, maxAttempts: 2)
    }

    /// Some that wait for each other, of one call, and for others that came before.
    mutating func linked(after earlier: [JobID]) throws -> [Draft] {
        var drafts: [Draft] = []
        for _ in 0..<(2 + number(below: 4)) {
            var after: [Predecessor] = []
            if !drafts.isEmpty {
                after.append(predecessor(drafts[number(below: drafts.count)]))
                if generator.chance(0.3) { after.append(predecessor(drafts[0])) }
                if generator.chance(0.2), !earlier.isEmpty {
                    after.append(.ended(earlier[number(below: earlier.count)]))
                }
            }
            var plan = plan()
            if !after.isEmpty { plan.milliseconds = [5 + number(below: 100)] }
            drafts.append(
                try draft(
                    way: generator.chance(0.4) ? .superseding : nil, plan: plan, after: after))
        }
        return drafts
    }

    private mutating func predecessor(_ draft: Draft) -> Predecessor {
        if let key = draft.new.mode?.key, generator.chance(0.5) { return .key(draft.new.kind, key) }
        return generator.chance(0.7) ? .completed(draft.new.id) : .ended(draft.new.id)
    }

    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    private mutating func way() -> Way? {
        generator.pick([
            nil: 42, Way.superseding: 26, Way.coalescing: 12, Way.keeping: 10, Way.debounced: 10,
        ])
    }

    private mutating func plan() -> Plan {
        let behaviour: Plan.Behaviour = generator.pick([
            .steady: 46, .stubborn: 4, .flaky: 9, .snoozing: 5, .wrapping: 9, .unasked: 3,
            .family: 9,
            .discarding: 2, .following: 4, .plain: 9,
        ])
        var plan = Plan(milliseconds: [Int.random(in: 5...250, using: &generator)])
        plan.behaviour = behaviour
        plan.times = generator.chance(0.05) ? 9 : number(below: 2) + 1
        // Longer than a lease, and then not again and again.
        if generator.chance(0.02) {
            plan.milliseconds = [Int(lease * 1300), 100]
        }
        plan.hasEffect = generator.chance(0.3)
        return plan
    }

    private mutating func draft(
        way: Way?, plan: Plan, key: String? = nil, maxAttempts: Int? = nil,
        after: [Predecessor] = []
    ) throws -> Draft {
        made += 1
        var plan = plan
        plan.tag = "\(name)-\(made)"
        // Where nothing is kept, nothing is committed; where something is, the end is visible.
        if plan.behaviour == .plain, way != nil { plan.behaviour = .steady }
        var options = EnqueueOptions()
        options.maxAttempts = maxAttempts
        options.after = after
        place(&options, plan)
        var mode: DraftMode?
        if let way {
            let key = key ?? self.key(for: way)
            mode = self.mode(way, key: key)
        }
        let kind = plan.behaviour == .plain ? 0 : number(below: 10)
        let new: NewJob
        switch kind {
        case 8: new = try NewJob(Errand(plan: plan), mode?.mode, options: options)
        case 9 where plan.behaviour == .steady && key == nil:
            plan.milliseconds = [1500, 50]
            new = try NewJob(Timed(plan: plan), mode?.mode, options: options)
        default: new = try NewJob(Work(plan: plan), mode?.mode, options: options)
        }
        return Draft(new: new, line: line(new, mode, tag: plan.tag))
    }

    private mutating func place(_ options: inout EnqueueOptions, _ plan: Plan) {
        if plan.behaviour == .plain {
            options.queue = "plain"
            return
        }
        switch number(below: 100) {
        case 0..<12:
            options.queue = "laned"
            options.lane = Lane(Self.lanes[number(below: 3)], maxRunning: Self.laneLimit)
        case 12..<20: options.queue = "limited"
        case 20..<35: options.runTime = .after(.milliseconds(number(below: 800)))
        default: break
        }
    }

    private mutating func key(for way: Way) -> String {
        let number = number(below: 4)
        return generator.chance(0.2) ? "mixed-\(number)" : "\(way.rawValue)-\(number)"
    }

    private mutating func mode(_ way: Way, key: String) -> DraftMode {
        switch way {
        case .superseding:
            let overlap: KeyMode.Overlap = generator.chance(0.25) ? .forbidden : .allowed
            return DraftMode(
                mode: .superseding(key, overlap: overlap), key: key, way: way, overlap: overlap)
        case .coalescing: return DraftMode(mode: .coalescing(key), key: key, way: way)
        case .keeping: return DraftMode(mode: .keeping(key), key: key, way: way)
        case .debounced:
            let interval = Duration.milliseconds(300 + number(below: 300))
            return DraftMode(
                mode: .debounced(key, interval: interval, maxWait: .seconds(3)), key: key,
                way: way)
        }
    }

    private func line(_ new: NewJob, _ mode: DraftMode?, tag: String?) -> JSONValue {
        .object([
            ("job", .string("\(new.id)")), ("kind", .string(new.kind.rawValue)),
            ("key", mode.map { .string($0.key) }), ("mode", mode.map { .string($0.way.rawValue) }),
            ("overlap", mode?.overlap.map { $0 == .forbidden ? "forbidden" : "allowed" }),
            ("tag", tag.map { .string($0) }),
            ("after", new.options.after.isEmpty ? nil : .array(new.options.after.map(need))),
        ])
    }

    private func need(_ predecessor: Predecessor) -> JSONValue {
        switch predecessor.condition {
        case .completed(let job): .object([("job", .string("\(job)")), ("goesOn", false)])
        case .ended(let job): .object([("job", .string("\(job)")), ("goesOn", true)])
        case .key(let kind, let key):
            .object([("kind", .string(kind.rawValue)), ("key", .string(key))])
        }
    }
}

enum Way: String { case superseding, coalescing, keeping, debounced }

struct DraftMode {
    let mode: KeyMode
    let key: String
    let way: Way
    var overlap: KeyMode.Overlap?
}
