import ArgumentParser

struct LinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Links: which are broken, where they stand, and which of them don't count.",
        discussion: """
            Example:
              tenure links broken --new --since 7d
              tenure links ignore 'https://old.example/*' --reason 'their server moves'
            """,
        subcommands: [LinksBroken.self, LinksIgnore.self, LinksIgnored.self, LinksUnignore.self])
}
