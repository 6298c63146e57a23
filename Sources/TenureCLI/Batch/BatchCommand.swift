import ArgumentParser

struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "List, show, watch and cancel batches.",
        discussion: """
            A batch is a tree of jobs that is counted, cancelled and ended as one: a check of a \
            site, or what your own program started.

            Example:
              tenure batch list
              tenure batch watch 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11
            """,
        subcommands: [BatchList.self, BatchShow.self, BatchWatch.self, BatchCancel.self])
}
