package import Tenure

/// Jobs with random edges, what is to be done to some of them meanwhile, and the oracle that says
/// how each may have ended: for real workers, and for those of the simulation.
package struct JobGraph: Sendable {
    package enum Edge: Sendable {
        case completed(Int)
        case ended(Int)
        /// The key of a job, whichever of its jobs commits.
        case key(Int)
    }
    package enum Deed: Sendable {
        case cancel(Int)
        case supersede(Int)
    }
    package enum Conduct: Sendable {
        case plain, discarding
        /// Fails once.
        case flaky
        /// Takes 0.4 s.
        case steady
    }
    package struct Node: Sendable {
        package let id: JobID
        package var key: String?
        package var conduct = Conduct.plain
        package var edges: [Edge] = []
    }
    package private(set) var nodes: [Node] = []
    /// In the order in which they are done.
    package private(set) var deeds: [Deed] = []
    private let queue: QueueName
    private var cancelled: Set<Int> = []
    private var superseded: Set<Int> = []

    package var edges: Int { nodes.reduce(0) { $0 + $1.edges.count } }

    /// - Parameters:
    ///   - waitsForKeys: whether some of those who wait for a keyed job wait for its key.
    ///   - id: each job's, by its number.
    package init(
        of size: Int, seed: UInt64, queue: QueueName = .default, waitsForKeys: Bool = true,
        id: (Int) -> JobID = { _ in JobID() }
    ) {
        self.queue = queue
        var random = SeededGenerator(seed: seed)
        for number in 0..<size {
            var node = Node(id: id(number))
            if Int.random(in: 0..<6, using: &random) == 0 { node.key = "k\(number)" }
            switch Int.random(in: 0..<20, using: &random) {
            case 0: node.conduct = .discarding
            case 1, 2: node.conduct = .flaky
            case 3...8: node.conduct = .steady
            default: break
            }
            if number > 0 {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let other = Int.random(in: max(0, number - 300)..<number, using: &random)
                    let isKeyed = waitsForKeys && nodes[other].key != nil
                    node.edges.append(
                        random.pick([
                            .ended(other): 1, isKeyed ? .key(other) : .completed(other): 2,
                            .completed(other): 3,
                        ]))
                }
            }
            nodes.append(node)
        }
        for number in 0..<size where Int.random(in: 0..<50, using: &random) == 0 {
            if nodes[number].key != nil, Bool.random(using: &random) {
                superseded.insert(number)
                deeds.append(.supersede(number))
            } else {
                cancelled.insert(number)
                deeds.append(.cancel(number))
            }
        }
        deeds.shuffle(using: &random)
    }

    /// - Parameter payload: what has a handler behave so.
    package func jobs(payload: (Conduct) -> String) throws -> [NewJob] {
        try nodes.map { node in
            var options = EnqueueOptions()
            options.after = Set(
                node.edges.map { edge -> Predecessor in
                    switch edge {
                    case .completed(let other): .completed(nodes[other].id)
                    case .ended(let other): .ended(nodes[other].id)
                    case .key(let other): .key("work", nodes[other].key ?? "")
                    }
                }
            ).sorted { "\($0)" < "\($1)" }
            return try NewJob(
                kind: "work", payload: payload(node.conduct),
                node.key.map { .superseding($0) }, queue: queue, maxAttempts: 100,
                options: options, id: node.id)
        }
    }

    /// What takes the place of a keyed job: it waits for nobody, and completes.
    package func successor(
        of number: Int, payload: (Conduct) -> String, id: JobID = JobID()
    ) throws -> NewJob {
        try NewJob(
            kind: "work", payload: payload(.plain), nodes[number].key.map { .superseding($0) },
            queue: queue, maxAttempts: 100, id: id)
    }

    // MARK: The oracle

    /// How a job ended.
    package struct End: Sendable {
        let id: JobID
        let key: String?
        package let outcome: String
        /// In microseconds, by the database's clock; the earliest start that is known of it.
        let startedAt: Int64?
        let finishedAt: Int64

        package init(
            id: JobID, key: String?, outcome: String, startedAt: Int64?, finishedAt: Int64
        ) {
            self.id = id
            self.key = key
            self.outcome = outcome
            self.startedAt = startedAt
            self.finishedAt = finishedAt
        }
    }

    /// What ended as it must not have.
    package func wrong(_ ends: [End]) -> [String] {
        let byID = Dictionary(ends.map { ($0.id, $0) }) { first, _ in first }
        let byKey = Dictionary(grouping: ends.filter { $0.key != nil }) { $0.key ?? "" }
        return nodes.indices.compactMap { number in
            guard let end = byID[nodes[number].id] else { return "\(number) has no end" }
            let ready = nodes[number].edges.map { readyAt($0, byID, byKey) }
            let isDoomed = ready.contains { $0 == nil }
            var may = mayEnd(number, isDoomed: isDoomed)
            // The key was given up before its successor came, or after that had completed.
            if nodes[number].edges.contains(where: { isEarly($0, byID) }) {
                may.insert("cancelled")
            }
            guard may.contains(end.outcome) else {
                return "\(number) is \(end.outcome), and not \(may.sorted().joined(separator: "/"))"
            }
            if let started = end.startedAt, let last = ready.compactMap(\.self).max(),
                started < last || isDoomed
            {
                return "\(number) began at \(started), and was to wait until \(last)"
            }
            return nil
        }
    }

    /// From when on an edge lets its waiter go; nil: never.
    private func readyAt(
        _ edge: Edge, _ byID: [JobID: End], _ byKey: [String: [End]]
    ) -> Int64? {
        switch edge {
        case .ended(let other): return byID[nodes[other].id]?.finishedAt
        case .completed(let other):
            let end = byID[nodes[other].id]
            return end?.outcome == "completed" ? end?.finishedAt : nil
        case .key(let other):
            return byKey[nodes[other].key ?? ""]?.filter { $0.outcome == "completed" }
                .map(\.finishedAt).min()
        }
    }

    /// Whether a key's first job was given up, and another of it came all the same.
    private func isEarly(_ edge: Edge, _ byID: [JobID: End]) -> Bool {
        guard case .key(let other) = edge, superseded.contains(other) else { return false }
        return ["discarded", "cancelled"].contains(byID[nodes[other].id]?.outcome ?? "")
    }

    private func mayEnd(_ number: Int, isDoomed: Bool) -> Set<String> {
        var may: Set<String> =
            if isDoomed {
                ["cancelled"]
            } else {
                [nodes[number].conduct == .discarding ? "discarded" : "completed"]
            }
        // Who comes too late changes nothing.
        if cancelled.contains(number) { may.insert("cancelled") }
        if superseded.contains(number) { may.insert("superseded") }
        return may
    }
}
