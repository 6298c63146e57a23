import FaultSupport
import Foundation
import Tenure

/// Jobs with random edges, what is to be done to some of them meanwhile, and the oracle that says
/// how each may have ended.
struct JobGraph: Sendable {
    enum Edge: Sendable {
        case completed(Int)
        case ended(Int)
        /// The key of a job, whichever of its jobs commits.
        case key(Int)
    }
    enum Deed: Sendable {
        case cancel(Int)
        case supersede(Int)
    }
    struct Node: Sendable {
        let id = JobID()
        var key: String?
        var plan = #"{"milliseconds": [0], "behaviour": "plain"}"#
        var isToFail = false
        var edges: [Edge] = []
    }
    private(set) var nodes: [Node] = []
    /// In the order in which they are done.
    private(set) var deeds: [Deed] = []
    private var cancelled: Set<Int> = []
    private var superseded: Set<Int> = []

    var edges: Int { nodes.reduce(0) { $0 + $1.edges.count } }

    init(of size: Int, seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for number in 0..<size {
            var node = Node()
            if Int.random(in: 0..<6, using: &random) == 0 { node.key = "k\(number)" }
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                node.plan = #"{"milliseconds": [0], "behaviour": "discarding"}"#
                node.isToFail = true
            case 1, 2: node.plan = #"{"milliseconds": [0], "behaviour": "flaky", "times": 1}"#
            case 3...8: node.plan = #"{"milliseconds": [400], "behaviour": "steady"}"#
            default: break
            }
            if number > 0 {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let other = Int.random(in: max(0, number - 300)..<number, using: &random)
                    let isKeyed = nodes[other].key != nil
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

    func jobs() throws -> [NewJob] {
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
                kind: "work", payload: #"{"plan": \#(node.plan)}"#,
                node.key.map { .superseding($0) }, maxAttempts: 100, options: options, id: node.id)
        }
    }

    /// What takes the place of a keyed job: it waits for nobody, and completes.
    func successor(of number: Int) throws -> NewJob {
        try NewJob(
            kind: "work", payload: #"{"plan": {"milliseconds": [0], "behaviour": "plain"}}"#,
            nodes[number].key.map { .superseding($0) }, maxAttempts: 100)
    }

    // MARK: The oracle

    /// What ended as it must not have.
    func wrong(_ ends: [JobEndSeen]) -> [String] {
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
        _ edge: Edge, _ byID: [JobID: JobEndSeen], _ byKey: [String: [JobEndSeen]]
    ) -> Date? {
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
    private func isEarly(_ edge: Edge, _ byID: [JobID: JobEndSeen]) -> Bool {
        guard case .key(let other) = edge, superseded.contains(other) else { return false }
        return ["discarded", "cancelled"].contains(byID[nodes[other].id]?.outcome ?? "")
    }

    private func mayEnd(_ number: Int, isDoomed: Bool) -> Set<String> {
        var may: Set<String> =
            isDoomed ? ["cancelled"] : [nodes[number].isToFail ? "discarded" : "completed"]
        // Who comes too late changes nothing.
        if cancelled.contains(number) { may.insert("cancelled") }
        if superseded.contains(number) { may.insert("superseded") }
        return may
    }
}
