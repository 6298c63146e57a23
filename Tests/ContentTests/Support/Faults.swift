import Content
import TestSupport
import Testing

/// Which page of a site gets which fault, and what a check is to find then. It knows the site's
/// edges, and nothing of how they are checked.
struct Faults: Sendable {
    struct Edge: Sendable, Hashable {
        let page: String
        let target: String
        let fragment: String?
        let line: Int
        let column: Int
    }

    let origin: String
    let edges: [Edge]
    /// Pages that are as good as missing, and the code of each.
    let broken: [(path: String, code: String)]
    /// It wants a long pause: nobody can say that it is broken.
    let held: String
    /// It takes its time, and comes.
    let slow: String
    /// For good, and not for good.
    let moved: String
    let elsewhere: String
    /// A page without an anchor that others point at.
    let page: String
    let anchor: String
    private let foreign: String

    init(_ site: RealSite, edges: [Edge], seed: UInt64) throws {
        var random = Seeded(state: seed)
        var paths = site.pages.filter { $0 != "/index.html" }.shuffled(using: &random)
        origin = site.web.url
        foreign = site.foreign.url
        self.edges = edges
        func next() -> String { paths.removeLast() }
        let isPointedAt = { [origin] (path: String) in
            edges.first {
                $0.target == origin + path && $0.page != origin + path && $0.fragment != nil
            }
        }
        // Only some are pointed at by others.
        let place = try #require(paths.firstIndex { isPointedAt($0) != nil })
        page = paths.remove(at: place)
        anchor = try #require(isPointedAt(page)?.fragment)
        broken = [
            (next(), "404"), (next(), "404"), (next(), "410"), (next(), "503"),
            (next(), "timeoutFirstByte"), (next(), "soft404"),
        ]
        (held, slow, moved, elsewhere) = (next(), next(), next(), next())
    }

    func apply(to site: RealSite) {
        site.loseAnchor(anchor, of: page)
        for (path, code) in broken {
            switch code {
            case "soft404":
                site.serve(Array("<title>Page not found</title><p>Sorry.".utf8), at: path)
            case "timeoutFirstByte": site.web.answer(path, LocalWeb.Answer(isSilent: true))
            default: site.web.answer(path, .status(Int(code) ?? 0))
            }
        }
        site.web.answer(held, .status(429, "Retry-After: 120"))
        site.delay(slow)
        _ = site.move(moved, 301)
        _ = site.move(elsewhere, 302)
        site.foreign.answer("/missing", .status(404))
        site.foreign.answer("/gone", .status(410))
        site.foreign.answer("/failing", .status(500))
        site.foreign.answer("/away", .status(503))
    }

    /// `code target at place`, a line for each place: what was found before, unless its page
    /// can't be read now, and what the faults are to blame for.
    func expected(after first: CheckReport) -> Set<String> {
        let unread = Set((broken.map(\.path) + [held]).map { origin + $0 })
        var lines: Set<String> = []
        for finding in first.findings {
            for place in finding.places where !unread.contains(place.page) {
                lines.insert(
                    "\(finding.code) \(finding.target) at "
                        + "\(now(place.page)):\(place.line):\(place.column)")
            }
        }
        for edge in edges where !unread.contains(edge.page) {
            guard let code = code(of: edge) else { continue }
            lines.insert("\(code) at \(now(edge.page)):\(edge.line):\(edge.column)")
        }
        return lines
    }

    private func code(of edge: Edge) -> String? {
        if let code = broken.first(where: { origin + $0.path == edge.target })?.code {
            return "\(code) \(edge.target)"
        }
        if edge.target == origin + page, edge.fragment == anchor {
            return "missingFragment \(edge.target)#\(anchor)"
        }
        let codes = ["/missing": "404", "/gone": "410", "/failing": "500", "/away": "503"]
        guard edge.target.hasPrefix(foreign) else { return nil }
        return codes[String(edge.target.dropFirst(foreign.count))].map { "\($0) \(edge.target)" }
    }

    /// A page that has moved is read where it is now.
    private func now(_ page: String) -> String {
        [moved, elsewhere].contains { origin + $0 == page }
            ? page.dropLast(5) + "-elsewhere.html" : page
    }

    /// A report's line as one for each place.
    static func split(_ line: String) -> [String] {
        guard let at = line.firstRange(of: " at ") else { return [line] }
        return line[at.upperBound...].split(separator: " ").map {
            "\(line[..<at.lowerBound]) at \($0)"
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
