import ArgumentParser
import Content
import Tenure
import TenureCoordinator
import TenureFoundation

struct SiteList: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sites that are watched.",
        discussion: """
            Times are UTC. broken: what is known to be so since the last check.

            Example:
              tenure site list --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let sites = try await Database.product(common) { try await $0.sites.list() }
        if json { return Terminal.output(try JSONText.encode(sites.map(SiteOutput.init))) }
        if sites.isEmpty {
            return Terminal.output("no sites are watched; add one with: tenure site add URL")
        }
        var table = Table("site", "checked", "state", "next", "last", "broken", "notify")
        for site in sites {
            table.add(
                SiteText.url(site), site.schedule.map { TicksText.format($0.ticks) },
                SiteText.state(site), site.nextAt.map { TimeText.full($0) },
                site.begunAt.map { TimeText.relative($0) },
                site.knownAt == nil ? nil : "\(site.broken)",
                site.channels.joined(separator: ", "))
        }
        Terminal.output(table.text)
        for site in sites {
            guard let problem = site.problem else { continue }
            let id = site.id.uuidString.lowercased()
            Terminal.error(
                "tenure: \(SiteText.url(site)) can't be read: \(PlainText.line(problem)); remove "
                    + "it with tenure site remove \(id), and add it again")
        }
    }
}
