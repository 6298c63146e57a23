import ArgumentParser
import Content
import Tenure

struct SiteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "site", abstract: "Sites that are watched: checked again and again.",
        discussion: """
            A coordinator enqueues a site's check when it is due, and a worker runs it; nobody \
            has to start anything. What is newly broken and what is mended is told to the site's \
            channels: see tenure notify.

            Example:
              tenure site add https://www.example.org/ --every 1d --notify ops
              tenure site list
            """,
        subcommands: [
            SiteAdd.self, SiteList.self, SiteShow.self, SiteChange.self, SiteCheckNow.self,
            SitePause.self, SiteResume.self, SiteRemove.self,
        ])
}

/// Which site.
struct SiteArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The site's URL, or its id.", valueName: "URL|ID"))
    var site: String

    var name: SiteName { SiteName(site) }
}

extension Database {
    var sites: Sites { Sites(client: client, pool: pool, as: Whom.name) }
    var channels: Channels { Channels(client: client, pool: pool, as: Whom.name) }
}
