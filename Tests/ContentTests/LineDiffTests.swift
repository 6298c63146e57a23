import Testing

@testable import Content

/// What is different between two texts, by lines.
@Suite struct LineDiffTests {
    private func diff(_ old: String, _ new: String) throws -> [String] {
        try LineDiff(from: old, to: new).lines.map { line in
            switch line {
            case .same(let text): " \(text)"
            case .removed(let text): "-\(text)"
            case .added(let text): "+\(text)"
            }
        }
    }

    @Test func `only what is different is removed and added`() throws {
        #expect(try diff("", "") == [])
        #expect(try diff("a\nb\n", "a\nb") == [" a", " b"])
        #expect(try diff("", "a\n\nb") == ["+a", "+", "+b"])
        #expect(try diff("a\nb\nc", "a\nx\nc") == [" a", "-b", "+x", " c"])
        #expect(try diff("a\nb\nc\nd", "b\nc\nd\ne") == ["-a", " b", " c", " d", "+e"])
        // Alike to a reader, and others byte by byte.
        #expect(try diff("\u{E9}\r", "e\u{301}\r") == ["-\u{E9}\r", "+e\u{301}\r"])
    }

    @Test func `both texts come out of it, and no shorter way leads from one to the other`() throws
    {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    ["a", "b", "c"].randomElement(using: &random) ?? ""
                }
            }
            let (old, new) = (texts[0], texts[1])
            let diff = try LineDiff(
                from: old.joined(separator: "\n"), to: new.joined(separator: "\n"))
            var (one, other, same): ([String], [String], Int) = ([], [], 0)
            for line in diff.lines {
                switch line {
                case .same(let text): (one, other, same) = (one + [text], other + [text], same + 1)
                case .removed(let text): one.append(text)
                case .added(let text): other.append(text)
                }
            }
            #expect(one == old && other == new, "\(old) \(new)")
            #expect(same == longestCommon(old, new), "\(old) \(new)")
        }
    }

    private func longestCommon(_ old: [String], _ new: [String]) -> Int {
        var row = [Int](repeating: 0, count: new.count + 1)
        for line in old {
            var next = row
            for (place, other) in new.enumerated() {
                next[place + 1] = line == other ? row[place] + 1 : max(row[place + 1], next[place])
            }
            row = next
        }
        return row[new.count]
    }

    @Test func `what is too large is said to be, and soon`() throws {
        func lines(_ count: Int, _ word: String) -> String {
            (0..<count).map { "\(word)\($0)" }.joined(separator: "\n")
        }
        let tries: [(String, String, LineDiff.TooLarge)] = [
            (String(repeating: "x", count: LineDiff.mostBytes + 1), "", .bytes),
            ("", String(repeating: "\n", count: LineDiff.mostLines + 1), .lines),
            (lines(600, "a"), lines(600, "b"), .changes),
            (lines(20_000, "a"), lines(20_000, "b"), .changes),
        ]
        for (old, new, why) in tries {
            let took = ContinuousClock().measure {
                #expect(throws: why) { try LineDiff(from: old, to: new) }
            }
            #expect(took < .seconds(10), "\(why)")
        }
        // As large as may be, and with as many changes.
        let long = lines(LineDiff.mostLines, "a").split(separator: "\n").map(String.init)
        let other = long.enumerated().map { $0.offset % 40 == 0 ? "new" : $0.element }
        let diff = try LineDiff(
            from: long.joined(separator: "\n"), to: other.joined(separator: "\n"))
        #expect(diff.changes == (500, 500))
    }
}
