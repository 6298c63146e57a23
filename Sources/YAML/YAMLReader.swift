// docs/decisions/rules.md

/// Reads a document that people have written: maps, lists and texts, each with its place.
///
/// Of YAML that is the part in which a text says what it looks like. Anchors and aliases, by which
/// a few lines become a billion, tags, and a second document are refused where they stand.
public struct YAMLReader {
    /// What a document may be at most: nothing that a person writes comes near.
    public static let mostBytes = 256 << 10
    static let deepest = 16
    static let mostNodes = 20_000

    private let events: YAMLEvents
    private var nodes = 0

    /// - Returns: nil for a document with nothing in it but comments.
    /// - Throws: `YAMLError`. Whatever the bytes are, nothing else happens.
    public static func read(_ bytes: [UInt8]) throws(YAMLError) -> YAMLNode? {
        try YAMLText.check(bytes)
        var reader = YAMLReader(events: try YAMLEvents(bytes))
        return try reader.document()
    }

    private init(events: YAMLEvents) { self.events = events }

    private mutating func document() throws(YAMLError) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try events.next()
            switch event.kind {
            case .streamStart, .documentEnd: continue
            case .streamEnd: return root.flatMap { $0.isNothing ? nil : $0 }
            case .documentStart:
                if root != nil {
                    throw YAMLError(event.place, "a second document; leave out the line ---")
                }
            default: root = try node(event, depth: 0)
            }
        }
    }

    private mutating func node(_ event: YAMLEvents.Event, depth: Int) throws(YAMLError) -> YAMLNode
    {
        nodes += 1
        guard nodes <= Self.mostNodes else {
            throw YAMLError(event.place, "more than \(Self.mostNodes) values")
        }
        guard depth <= Self.deepest else {
            throw YAMLError(
                event.place, "more than \(Self.deepest) lists and maps inside of one another")
        }
        switch event.kind {
        case .text(let text, let isPlain):
            return YAMLNode(.text(text, isPlain: isPlain), at: event.place)
        case .listStart: return YAMLNode(.list(try list(depth: depth)), at: event.place)
        case .mapStart: return YAMLNode(.map(try map(depth: depth)), at: event.place)
        case .alias: throw YAMLError(event.place, YAMLText.noAliases)
        default: throw YAMLError(event.place, "no value here")
        }
    }

    private mutating func list(depth: Int) throws(YAMLError) -> [YAMLNode] {
        var values: [YAMLNode] = []
        while true {
            let event = try events.next()
            if case .listEnd = event.kind { return values }
            values.append(try node(event, depth: depth + 1))
        }
    }

    private mutating func map(depth: Int) throws(YAMLError) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try events.next()
            if case .mapEnd = event.kind { return entries }
            guard case .text(let key, _) = event.kind else {
                throw YAMLError(event.place, "a key that is no text; write key: value")
            }
            if let line = lines[key] {
                throw YAMLError(
                    event.place, "\"\(YAMLText.short(key))\" stands in line \(line) already")
            }
            lines[key] = event.place.line
            let value = try node(try events.next(), depth: depth + 1)
            entries.append(YAMLEntry(key: key, place: event.place, value: value))
        }
    }
}

extension YAMLNode {
    fileprivate var isNothing: Bool { content == .text("", isPlain: true) }
}
