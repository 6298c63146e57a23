import FaultSupport
import Tenure

/// What the rig itself says of a run: figures, and whether it was a run worth judging.
struct Verdict: Sendable {
    private(set) var lines: [String] = []
    private(set) var failures: [String]

    var text: String { (lines + failures.map { "✘ \($0)" }).joined(separator: "\n") }

    /// - Parameter failures: what is known to have gone wrong already.
    init(failures: [String]) { self.failures = failures }

    /// Every kind happened, and was felt by somebody.
    mutating func add(
        _ faults: [Recording.Fault], _ evidence: Evidence, options: RigOptions, noDisk: String?
    ) {
        let byKind = Dictionary(grouping: faults, by: \.kind)
        lines.append("faults: \(faults.count)")
        for kind in options.kinds {
            let name = "  \(kind.rawValue.padded(18))"
            if kind == .fillDisk, let noDisk {
                lines.append("\(name) not possible here: \(noDisk)")
                continue
            }
            let happened = byKind[kind] ?? []
            let felt = happened.count { $0.felt ?? evidence.shows($0) }
            lines.append("\(name) \(happened.count), \(felt) felt")
            if happened.isEmpty {
                failures.append("\(kind) never happened")
            } else if felt == 0, happened.count > 1 {
                failures.append("\(kind) was felt by nobody")
            }
        }
        let wanted = Int(options.seconds / 3)
        if options.kinds.count == FaultKind.allCases.count, faults.count < wanted {
            failures.append(
                "only \(faults.count) faults in \(Int(options.seconds)) s, \(wanted) wanted")
        }
    }

    mutating func add(_ figure: String, _ value: String) {
        lines.append("\(figure.padded(32)) \(value)")
    }

    mutating func fail(_ why: String) { failures.append(why) }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
