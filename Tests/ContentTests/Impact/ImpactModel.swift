import Content
import TenureFoundation

/// What depends on what, worked out the long way: by walking from every page to where it leads, and
/// going over all of it again until nothing changes. It shares nothing with the statement.
struct ImpactModel {
    struct Node {
        let url: String
        let site: Int
        /// Somebody has read it, and it isn't gone or broken.
        var isLive = true
        var isFresh = true
        /// Where it redirects to.
        var next: Int?
    }

    struct Edge {
        let page: Int
        let target: Int
        let ordinal: Int
        let isHard: Bool
    }

    struct Answer: Equatable {
        var verdict: ItemImpact.Verdict
        var places: Set<String>
        var hard: Int
    }

    var nodes: [Node] = []
    var edges: [Edge] = []

    /// Everything that one comes past when one asks for a node.
    private func trail(from start: Int) -> Set<Int> {
        var seen: Set<Int> = [start]
        var here = start
        while let next = nodes[here].next, seen.insert(next).inserted { here = next }
        return seen
    }

    /// Live edges that lead to a node from another one.
    private func edges(to node: Int) -> [Edge] {
        edges.filter { edge in
            edge.page != node && nodes[edge.page].isLive && trail(from: edge.target).contains(node)
        }
    }

    private func isUnseen(_ site: Int, asked: Set<Int>) -> Bool {
        let others = nodes.indices.filter {
            nodes[$0].site == site && nodes[$0].isLive && !asked.contains($0)
        }
        return !others.isEmpty && others.allSatisfy { !nodes[$0].isFresh }
    }

    /// How sure it is that an item has to stay.
    private enum Stay: Int, Comparable {
        case no, perhaps, surely
        static func < (a: Stay, b: Stay) -> Bool { a.rawValue < b.rawValue }
    }

    func answers(for asked: Set<Int>) -> [Int: Answer] {
        let incoming = Dictionary(uniqueKeysWithValues: asked.map { ($0, edges(to: $0)) })
        var stays: [Int: Stay] = [:]
        var isSettled = false
        while !isSettled {
            isSettled = true
            for item in asked {
                var stay: Stay = isUnseen(nodes[item].site, asked: asked) ? .perhaps : .no
                let edges = incoming[item] ?? []
                let isVouched = edges.contains { edge in
                    nodes[edge.page].isFresh && !asked.contains(edge.page)
                }
                for edge in edges
                where edge.isHard || !nodes[edge.page].isFresh && !isVouched {
                    let page: Stay = asked.contains(edge.page) ? stays[edge.page] ?? .no : .surely
                    let age: Stay = nodes[edge.page].isFresh ? .surely : .perhaps
                    if page > .no { stay = max(stay, min(page, age)) }
                }
                if stay != stays[item] ?? .no {
                    stays[item] = stay
                    isSettled = false
                }
            }
        }
        var answers: [Int: Answer] = [:]
        for item in asked {
            let counted = (incoming[item] ?? []).filter { edge in
                !asked.contains(edge.page) || stays[edge.page] ?? .no > .no
            }
            let verdict: ItemImpact.Verdict =
                switch stays[item] ?? .no {
                case .surely: .unsafe
                case .perhaps: .unknown
                case .no: counted.isEmpty ? .safe : .safeWithRedirect
                }
            answers[item] = Answer(
                verdict: verdict,
                places: Set(counted.map { "\(nodes[$0.page].url):\($0.ordinal)" }),
                hard: counted.count { $0.isHard })
        }
        return answers
    }
}

extension ImpactModel {
    /// A graph with whatever a site can have: circles of every kind, redirects that lead on or
    /// around, pages that are gone, and pages nobody has looked at for long.
    static func random(_ random: inout some RandomNumberGenerator) -> ImpactModel {
        func isOneOf(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        var model = ImpactModel()
        let count = Int.random(in: 2...24, using: &random)
        let sites = Int.random(in: 1...4, using: &random)
        let staleSite = isOneOf(2) ? 0 : -1
        for number in 0..<count {
            let site = Int.random(in: 0..<sites, using: &random)
            var node = Node(url: "https://site\(site).test/\(number)", site: site)
            node.isLive = !isOneOf(6)
            node.isFresh = site != staleSite && !isOneOf(5)
            model.nodes.append(node)
        }
        for number in 0..<count where isOneOf(6) {
            model.nodes[number].next = Int.random(in: 0..<count, using: &random)
        }
        let hardness = Int.random(in: 1...4, using: &random)
        for number in 0..<Int.random(in: 0...count * 3, using: &random) {
            model.edges.append(
                Edge(
                    page: Int.random(in: 0..<count, using: &random),
                    target: Int.random(in: 0..<count, using: &random), ordinal: number + 1,
                    isHard: isOneOf(hardness)))
        }
        return model
    }
}

/// A generator that gives the same numbers for the same seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
