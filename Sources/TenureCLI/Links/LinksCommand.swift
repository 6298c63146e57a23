import ArgumentParser

struct LinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links", abstract: "Links: which are broken, and where they stand.",
        discussion: """
            Example:
              tenure links broken --new --since 7d
            """,
        subcommands: [LinksBroken.self])
}
