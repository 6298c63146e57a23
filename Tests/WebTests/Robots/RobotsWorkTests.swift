import Testing

@testable import Web

/// What a robots.txt costs for one URL, counted in bytes that are looked at: whoever writes the
/// file and the URL may mean harm.
@Suite struct RobotsWorkTests {
    private static let a2000 = String(repeating: "a", count: 2000)

    private func file(_ lines: (Int) -> String) -> Robots {
        var text = "User-agent: *\n"
        var number = 0
        while text.utf8.count < Robots.maxBytes {
            text += lines(number) + "\n"
            number += 1
        }
        return Robots(Array(text.utf8))
    }

    @Test(arguments: [
        "Allow: *\(a2000)b", "Allow: *ab", "Allow: *a*ab*b", "Allow: *a*a*a*a*a*a*a*b",
        "Allow: \(String(repeating: "*", count: 4000))b", "Allow: /a*a*a*b$", "Allow: *\(a2000)*b",
        "Allow: /\(a2000)b", "Allow: *aaaaaaaaaaaaaaaab$",
    ])
    func `however hostile, it stays within its bound`(line: String) {
        let policy = file { _ in line }.policy(for: "tenure")
        for path in ["/" + String(repeating: "a", count: 8190), "/a"] {
            let (isAllowed, steps) = policy.judge(path: path)
            #expect(steps <= RobotsPolicy.mostSteps + 2 * 8191, "\(steps)")
            // Beyond it, nobody asks.
            #expect(isAllowed == (steps <= RobotsPolicy.mostSteps))
        }
    }

    @Test func `rules without a star cost no more than their file has bytes`() {
        let policy = file { "Disallow: /folder/\($0)/of/pages" }.policy(for: "tenure")
        let (isAllowed, steps) = policy.judge(
            path: "/folder/" + String(repeating: "9", count: 8000))
        #expect(isAllowed)
        #expect(steps <= Robots.maxBytes + 8200, "\(steps)")
    }

    /// As many rules with stars as the file holds, and a URL as long as they are in the wild.
    @Test func `the largest of honest files is nowhere near the bound`() {
        let policy = file { "Disallow: /*/\($0)/*.php$" }.policy(for: "tenure")
        let (isAllowed, steps) = policy.judge(
            path: "/shop/articles/12345678/show?" + String(repeating: "p=1&", count: 50))
        #expect(isAllowed)
        #expect(steps < RobotsPolicy.mostSteps / 2, "\(steps)")
    }

    @Test func `twice the rules take twice the work, and twice the path as well`() {
        func steps(rules: Int, path: Int) -> Int {
            let text = "User-agent: *\n" + String(repeating: "Allow: *aaab*b\n", count: rules)
            return Robots(Array(text.utf8)).policy(for: "tenure")
                .judge(path: "/" + String(repeating: "a", count: path)).steps
        }
        let once = steps(rules: 500, path: 1000)
        #expect(steps(rules: 1000, path: 1000) < once * 5 / 2)
        #expect(steps(rules: 500, path: 2000) < once * 5 / 2)
    }

    /// The rule as the RFC has it, tried out in every way there is.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return true }
        if first == UInt8(ascii: "$"), pattern.count == 1 { return path.isEmpty }
        if first == UInt8(ascii: "*") {
            let rest = pattern.dropFirst()
            return (path.startIndex...path.endIndex).contains { matches(rest, path[$0...]) }
        }
        return path.first == first && matches(pattern.dropFirst(), path.dropFirst())
    }

    @Test func `it decides as the rule tried out in every way`() {
        var random = SystemRandomNumberGenerator()
        func text(_ letters: String, _ most: Int) -> String {
            String(
                (0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement()! }
            )
        }
        for _ in 0..<20_000 {
            let pattern = "/" + text("ab*ab*$", 9)
            let path = "/" + text("ab$", 10)
            let robots = Robots(Array("User-agent: *\nDisallow: \(pattern)\n".utf8))
            let expected = Self.matches(Array(pattern.utf8)[...], Array(path.utf8)[...])
            #expect(robots.isAllowed(path: path, userAgent: "x") != expected, "\(pattern) \(path)")
        }
    }
}
