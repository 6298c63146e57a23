import ArgumentParser
import Tenure

/// The jobs of a batch, drawn.
struct BatchDrawing {
    enum Form: String, CaseIterable, ExpressibleByArgument { case text, dot }

    private let graph: BatchGraph
    private let nodes: [JobID: BatchGraph.Node]
    private let waiters: [JobID: [BatchGraph.Edge]]

    init(_ graph: BatchGraph) {
        self.graph = graph
        nodes = Dictionary(graph.nodes.map { ($0.job, $0) }) { first, _ in first }
        waiters = Dictionary(grouping: graph.edges, by: \.needs)
    }

    func drawn(as form: Form) -> String {
        switch form {
        case .text: text
        case .dot: dot
        }
    }

    /// A job below each that it waits for; where it stands for the second time, without what waits
    /// for it.
    private var text: String {
        var lines: [String] = []
        var seen: Set<JobID> = []
        let waiting = Set(graph.edges.map(\.job))
        let strangers = Set(graph.edges.map(\.needs)).subtracting(nodes.keys).sorted()
        var left = (strangers + graph.nodes.map(\.job).filter { !waiting.contains($0) })
            .reversed().map { (job: $0, depth: 0, goesOn: false) }
        // By hand: a row of a thousand would be as deep a recursion.
        while let next = left.popLast() {
            let isNew = seen.insert(next.job).inserted
            let way = next.depth == 0 ? "" : next.goesOn ? "╰╌ " : "╰─ "
            let below = waiters[next.job, default: []]
            let again = isNew || below.isEmpty ? "" : " (above)"
            lines.append(
                String(repeating: "  ", count: min(next.depth, 40)) + way + label(next.job) + again)
            if isNew {
                left += below.reversed().map { ($0.job, next.depth + 1, $0.goesOn) }
            }
        }
        if graph.isCut { lines.append("… and more: the first \(BatchGraph.most) are shown") }
        return lines.isEmpty ? "no jobs" : lines.joined(separator: "\n")
    }

    private func label(_ job: JobID) -> String {
        guard let node = nodes[job] else { return "\(job) (of no job here)" }
        return "\(job) \(node.kind) \(node.status.rawValue)"
    }

    private var dot: String {
        var lines = ["digraph batch {", "  rankdir=LR;", "  node [shape=box];"]
        for node in graph.nodes {
            let text = Self.quoted("\(node.kind)\n\(node.status.rawValue)")
            lines.append("  \"\(node.job)\" [label=\(text)];")
        }
        for edge in graph.edges {
            let style = edge.goesOn ? " [style=dashed]" : ""
            lines.append("  \"\(edge.needs)\" -> \"\(edge.job)\"\(style);")
        }
        if graph.isCut { lines.append("  // the first \(BatchGraph.most) jobs") }
        return (lines + ["}"]).joined(separator: "\n")
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
        return "\"\(escaped)\""
    }
}
