import Tenure

/// What became of the one thing that a command names.
struct Change: Report {
    enum Result: String, Encodable {
        case paused, resumed, removed, released, wasNotPaused, wasNotOnHold
    }

    /// What it is, which is the name's name in JSON.
    let noun: String
    let name: String
    let result: Result
    /// For people.
    var note = ""

    func encode(to encoder: any Encoder) throws {
        try encoder.write([noun: name, "result": result])
    }

    var text: String {
        let text =
            switch result {
            case .wasNotPaused: "\(name) was not paused"
            case .wasNotOnHold: "\(name) was not on hold"
            default: "\(result.rawValue) \(name)\(note)"
            }
        return PlainText.line(text)
    }

    var hasFindings: Bool { result == .wasNotPaused || result == .wasNotOnHold }
}
