import Content
import Tenure
import YAML

/// Values of a rule file, each with what was expected in its place. The texts of some are secrets
/// that stand where they shouldn't: a message shows none.
extension YAMLNode {
    func refused(_ expected: String) -> YAMLError { YAMLError(place, expected) }

    /// The entries of a map, whose keys are known.
    func entries<Key: RawRepresentable<String> & CaseIterable>(
        _ keys: Key.Type, of name: String
    ) throws -> [(key: Key, place: YAMLPlace, value: YAMLNode)] {
        try named(of: name).map { entry in
            guard let key = Key(rawValue: entry.key) else {
                throw YAMLError(entry.place, Self.unknown(entry.key, Key.allCases.map(\.rawValue)))
            }
            return (key, entry.place, entry.value)
        }
    }

    /// The entries of a map, whatever its keys are.
    func named(of name: String) throws -> [YAMLEntry] {
        guard case .map(let entries) = content else {
            throw refused("\(name) is \(shape); give a map, as key: value")
        }
        return entries
    }

    private static func unknown(_ key: String, _ known: [String]) -> String {
        let shown = key.count > 60 ? key.prefix(60) + "…" : key
        let nearest = NearestName.of(key, among: known).map { "; did you mean \"\($0)\"?" } ?? ";"
        return "unknown key \"\(shown)\"\(nearest) Known here: \(known.joined(separator: ", "))"
    }

    /// The elements of a list; one value alone is a list of it.
    func elements(of name: String, most: Int = 1000) throws -> [YAMLNode] {
        guard case .list(let nodes) = content else {
            if case .text("", isPlain: true) = content {
                throw refused("\(name) is nothing; give a value, or leave the key out")
            }
            return [self]
        }
        guard nodes.count <= most else {
            throw nodes[most].refused("\(name) has more than \(most) values")
        }
        return nodes
    }

    func text(of name: String, such example: String) throws -> String {
        guard case .text(let text, _) = content else {
            throw refused("\(name) is \(shape); give a text such as \(example)")
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw refused("\(name) is empty; give a text such as \(example)")
        }
        return text
    }

    func flag(of name: String) throws -> Bool {
        guard case .text(let text, isPlain: true) = content, let flag = Bool(text) else {
            throw refused("\(name) is \(shape); give true or false")
        }
        return flag
    }

    func number(of name: String, in range: ClosedRange<Int>) throws -> Int {
        guard case .text(let text, isPlain: true) = content, let number = Int(text),
            range.contains(number)
        else {
            throw refused(
                "\(name) is \(shape); give a number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return number
    }

    func seconds(of name: String, in range: ClosedRange<Double>) throws -> Double {
        guard case .text(let text, _) = content, let time = DurationText.parse(text),
            range.contains(time / .seconds(1))
        else {
            let (least, most) = (Duration.seconds(range.lowerBound), range.upperBound)
            throw refused(
                "\(name) is \(shape); give a time such as 500ms, 10s or 1d, from "
                    + "\(DurationText.format(least)) to \(DurationText.format(.seconds(most)))")
        }
        return time / .seconds(1)
    }

    /// A size, as `8MiB`, `500KiB` or a number of bytes.
    func bytes(of name: String) throws -> Int {
        let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("", 0)]
        if case .text(let text, _) = content {
            for (unit, shift) in units where text.hasSuffix(unit) {
                guard let count = Int(text.dropLast(unit.count)), (1...(1 << 20)).contains(count)
                else { continue }
                // Bounded: 2⁵⁰ at most.
                return min(count << shift, 1 << 40)
            }
        }
        throw refused("\(name) is \(shape); give a size such as 8MiB or 500KiB")
    }

    /// What it is, without its text where that is long.
    private var shape: String {
        switch content {
        case .text("", isPlain: true): "nothing"
        case .text(let text, _) where text.count <= 40: "\"\(text)\""
        case .text: "a text"
        case .list: "a list"
        case .map: "a map"
        }
    }

    /// Says where it stands what the value was refused for.
    func checked<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ContentError {
            throw YAMLError(place, error.description)
        }
    }
}
