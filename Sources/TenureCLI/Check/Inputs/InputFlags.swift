import ArgumentParser
import Content

/// What a check begins at, as the command line says it.
struct InputFlags: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            What to check, as one check: http://…, https://…, a folder, a file of HTML or \
            Markdown, a sitemap (.xml, .xml.gz), a pattern in quotes ('docs/**/*.md'), a list \
            (.txt), a list on standard input (-), or an item's id.
            """,
            valueName: "URL|PATH|PATTERN|ITEM"))
    var asked: [String] = []
    @Option(
        help: ArgumentHelp(
            "What to check, a URL, path or pattern on each line; # begins a comment; - is "
                + "standard input; repeatable.", valueName: "FILE"))
    var list: [String] = []
    @Flag(help: "Patterns match files and folders whose names begin with a dot, too.")
    var hidden = false
    @Flag(help: "Patterns match what .gitignore leaves out, too.") var noIgnore = false
    @Flag(help: "Patterns match capital and small letters alike.") var globIgnoreCase = false
    @Option(
        help: ArgumentHelp(
            "The folder that links with a slash at their start lead to, with all files that are "
                + "checked in it. (default: the one folder that is checked, or else the working "
                + "directory, or the nearest that holds all)", valueName: "DIR"))
    var root: String?

    var isEmpty: Bool { asked.isEmpty && list.isEmpty }

    var walk: GlobWalk.Options {
        GlobWalk.Options(
            showsHidden: hidden, readsIgnoreFiles: !noIgnore, ignoresCase: globIgnoreCase)
    }

    /// Of the flags that only say how, the first that was given.
    var given: String? {
        let all = [
            ("--list", !list.isEmpty), ("--hidden", hidden), ("--no-ignore", noIgnore),
            ("--glob-ignore-case", globIgnoreCase), ("--root", root != nil),
        ]
        return all.first(where: \.1)?.0
    }
}
