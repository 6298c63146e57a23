import ArgumentParser
import Tenure

struct KindPause: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Start no more jobs of a kind, in any queue.",
        discussion: """
            Jobs that run go on; the others wait in their order. Lasts until it is resumed, over \
            all restarts. A coordinator pauses a kind by itself when its runs end with their \
            process: see tenure coordinator --help.

            Example:
              tenure kind pause report --reason "the renderer leaks"
            """)

    @Argument(help: "The kind.") var name: String
    @Option(help: "Why, for those who look later.") var reason: String?
    @Option(help: "Who pauses, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let isKnown = try await Database.current(settings) { database in
            let known = try await database.inspector.kinds().contains { $0.kind.rawValue == name }
            try await Operator(client: database.client, as: by ?? Whom.name)
                .pause(kind: JobKind(name), because: reason)
            return known
        }
        if json { return Terminal.output(try JSONText.encode(KindChange(name, "paused"))) }
        let note = isKnown ? "" : "; no job and no worker names it so far"
        Terminal.line("paused \(name)\(note)")
    }
}

/// What became of a kind, for programs.
struct KindChange: Encodable {
    let kind: String
    let result: String

    init(_ kind: String, _ result: String) {
        self.kind = kind
        self.result = result
    }
}
