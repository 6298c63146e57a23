import TenurePostgres

/// SQL of several files that goes to the server as one message, and so as one transaction.
struct MigrationScript: Sendable {
    /// A file's text, or what the migrator says itself.
    struct Part: Sendable {
        var file: String?
        let text: String
    }

    let parts: [Part]

    var text: String { parts.map(\.text).joined(separator: "\n") }

    /// The error with its file and line before its message, where they can be told: by the place
    /// that the server names, or by the function whose name it gives.
    /// - Parameter sent: the text as the server has had it; its lines are those of `text`.
    func located(_ error: PostgresError, sent: String) -> PostgresError {
        guard let place = error.position.flatMap({ place(ofCharacter: $0, sent) }) ?? place(error)
        else { return error }
        var located = error
        located.message = "\(place.file):\(place.line): \(error.message)"
        return located
    }

    private struct Place {
        let file: String
        let line: Int
    }

    /// - Parameter number: as the server counts, from 1, in Unicode's characters.
    private func place(ofCharacter number: Int, _ sent: String) -> Place? {
        var line = sent.unicodeScalars.prefix(number - 1).count { $0 == "\n" } + 1
        for part in parts {
            let lines = part.text.unicodeScalars.count { $0 == "\n" } + 1
            if line <= lines { return part.file.map { Place(file: $0, line: line) } }
            line -= lines
        }
        return nil
    }

    /// A function that can't be replaced is named in the hint, and has no place.
    private func place(_ error: PostgresError) -> Place? {
        let said = [error.hint ?? "", error.message, error.detail ?? ""].joined(separator: " ")
        let names = Set(said.matches(of: #/(\w+)"?\(/#).map(\.1))
        for part in parts {
            guard let file = part.file else { continue }
            let lines = part.text.split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in zip(1..., lines) {
                guard let made = line.firstMatch(of: #/FUNCTION \w+\.(\w+)\(/#) else { continue }
                if names.contains(made.1) { return Place(file: file, line: number) }
            }
        }
        return nil
    }
}
