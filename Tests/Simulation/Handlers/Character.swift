/// How a job's handler behaves. A job's payload names its character and a time in milliseconds.
enum Character: String, CaseIterable {
    case quick, slow, fails, snoozes, discards, unasked
    /// Goes on however often it is asked to stop.
    case stubborn, stubbornCommit
    /// Takes its cancellation for an error of another kind, or for none at all.
    case wraps, swallows
    case children
    case commits, commitsTwice, commitsSnooze, commitsDiscard, retriesLate, refused
    case checkpoints, followUps
    /// Commit together with others that are ready.
    case gathers, gathersWrongly
    /// Stays in its transaction for long.
    case lingers
    case endless
    case unreadable

    /// Those that end by themselves within the time in their payload.
    static let ending = allCases.filter { $0 != .endless && $0 != .unreadable }
}

struct Payload {
    let character: Character
    let milliseconds: Int

    init(_ character: Character, _ milliseconds: Int) {
        self.character = character
        self.milliseconds = milliseconds
    }

    var json: String { "\"\(character.rawValue) \(milliseconds)\"" }

    init?(_ json: String) {
        let words = json.dropFirst().dropLast().split(separator: " ")
        guard words.count == 2, let character = Character(rawValue: String(words[0])),
            let milliseconds = Int(words[1]), character != .unreadable
        else { return nil }
        self.init(character, milliseconds)
    }
}
