import ArgumentParser
import Content
import Tenure

struct NotifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Channels: where notices of sites go.",
        discussion: """
            A check of a site that finds something newly broken, or mended, makes one notice, and \
            workers send it to the site's channels: at least once, under one id. What is sent, \
            and how to verify it: docs/notices.md.

            Example:
              tenure notify add ops --webhook https://hooks.example.org/tenure \
            --secret-env TENURE_SECRET_OPS
              tenure notify test ops
            """,
        subcommands: [
            NotifyAdd.self, NotifyList.self, NotifyTest.self, NotifyResume.self,
            NotifyRemove.self,
        ])
}
