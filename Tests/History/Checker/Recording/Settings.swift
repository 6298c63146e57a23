import Foundation

/// `settings.json`: what the run was told.
struct Settings: Sendable {
    struct Limit: Sendable {
        let queue: String
        let lane: String?
        let maxRunning: Int
    }

    let seed: Int
    let lease: Double
    let margin: Double
    let stopDelay: Double
    let sweep: Double
    let poll: Double
    let longestWork: Double
    let clockRateError: Double
    let tick: Double
    let limits: [Limit]
    let deliversCancellation: Bool
    /// How often a job's attempt may be given back; nil when it isn't bounded.
    let maxRefunds: Int?

    init(_ file: LineFile) throws(UnusableRecording) {
        let result = file.data.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else {
                    throw JSONError("it is empty")
                }
                var scanner = JSONScanner(start, start + bytes.count)
                let settings = try Settings(NamedMembers(&scanner))
                guard scanner.peek() == 0 else { throw scanner.unexpected("the end") }
                return settings
            }
        }
        do throws(JSONError) {
            self = try result.get()
        } catch {
            throw UnusableRecording(file.name, error.what)
        }
    }

    private init(_ members: NamedMembers) throws(JSONError) {
        seed = try members.get("seed", Members.integer)
        lease = try members.get("leaseSeconds", Members.seconds)
        margin = try members.get("marginSeconds", Members.seconds)
        stopDelay = try members.get("stopDelaySeconds", Members.seconds)
        sweep = try members.get("sweepSeconds", Members.seconds)
        poll = try members.get("pollSeconds", Members.seconds)
        longestWork = try members.get("longestWorkSeconds", Members.seconds)
        clockRateError = try members.get("clockRateError", Members.seconds)
        tick = try members.get("tickSeconds", Members.seconds)
        maxRefunds = try members.find("maxRefunds", Members.integer)
        limits =
            try Self.limits(members, "lanes", isLane: true)
            + Self.limits(members, "queues", isLane: false)
        switch try members.get("cancellation", Members.text) {
        case "on": deliversCancellation = true
        case "off": deliversCancellation = false
        default: throw JSONError("`cancellation` is neither \"on\" nor \"off\"")
        }
    }

    private static func limits(
        _ members: NamedMembers, _ name: String, isLane: Bool
    ) throws(JSONError) -> [Limit] {
        try members.get(name, Members.container).objects { object throws(JSONError) in
            Limit(
                queue: try object.get("queue", Members.text),
                lane: isLane ? try object.get("lane", Members.text) : nil,
                maxRunning: try object.get("maxRunning", Members.integer))
        }
    }
}

extension JSONSlice {
    /// Reads a list of objects.
    func objects<Element>(
        _ read: (NamedMembers) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        var scanner = scanner
        var elements: [Element] = []
        try scanner.expect(ASCII.openBracket)
        while scanner.peek() == ASCII.openBrace {
            elements.append(try read(try NamedMembers(&scanner)))
            guard try scanner.goesOn(until: ASCII.closeBracket) else { return elements }
        }
        try scanner.expect(ASCII.closeBracket)
        return elements
    }
}
