import ArgumentParser
import Content
import Tenure

struct ItemWordsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "words", abstract: "Let items be searched by the words of titles and texts.",
        discussion: """
            The search is an index of PostgreSQL's own, which each fetch then keeps up to date. \
            Nobody pays for it who hasn't turned it on.

            Example:
              tenure item words on
              tenure item list --words '"annual report" -draft'
              tenure item words off
            """,
        subcommands: [ItemWordsOn.self, ItemWordsOff.self, ItemWordsStatus.self])
}

struct ItemWordsOn: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Make the index of words, while others read and write.",
        discussion: """
            It reads every text that is kept, once: minutes for a hundred thousand pages. It waits \
            for transactions that are open. What a run that was broken off has left is made anew. \
            It wants the tables' owner, who migrates them.

            Example:
              tenure item words on
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func report(_ database: Database) async throws -> ItemWords.Status {
        let words = ItemWords(pool: database.pool)
        try await words.turnOn()
        return try await words.status()
    }
}

struct ItemWordsOff: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Drop the index of words, while others read and write.",
        discussion: """
            Example:
              tenure item words off
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func report(_ database: Database) async throws -> ItemWords.Status {
        let words = ItemWords(pool: database.pool)
        try await words.turnOff()
        return try await words.status()
    }
}

struct ItemWordsStatus: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say whether items can be searched by words.",
        discussion: """
            Example:
              tenure item words status --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func report(_ database: Database) async throws -> ItemWords.Status {
        try await ItemWords(pool: database.pool).status()
    }
}

extension ItemWords.Status: Report {
    var text: String {
        if isOn { return "items can be searched by words; the index has \(SizeText.format(bytes))" }
        if isMade { return "the search by words is off until its index is made, which is going on" }
        return isUnfinished
            ? "the search by words is off: the making of its index was broken off, and each fetch "
                + "still pays for it; make it anew with: tenure item words on"
            : "the search by words is off; turn it on with: tenure item words on"
    }
}
