import Content
import Tenure
import TenureFoundation
import TenureWeb

/// What of the console is for editors: sites, checks, links and items; and the doctor's findings.
struct ContentPart: ConsolePart {
    let database: Database

    var tabs: [Tab] { [.sites, .links, .items, .explain, .impact, .hosts, .doctor] }
    var description: APIDescription { ContentDescription.all }

    func page(at path: [String], _ query: Query) throws -> (any Page)? {
        switch (path.first, path.count) {
        case ("sites", 1): try SitesPage(query)
        case ("sites", 2): SitePage(id: try Route.id(path[1], "site"))
        case ("checks", 2): try CheckPage(Route.id(path[1], "check"), query)
        case ("links", 1): try LinksPage(query)
        case ("links", 2) where path == IgnorePage.path: try IgnorePage(form: query)
        case ("items", 1): try ItemsPage(query)
        case ("items", 2): try ItemPage(Route.id(path[1], "item"), query)
        case ("items", 3) where path[2] == "edit":
            ItemEditPage(try Route.id(path[1], "item"), query)
        case ("items", 4) where path[2] == "versions":
            try VersionPage(Route.id(path[1], "item"), path[3], query)
        case ("explain", 1): ExplainPage(url: query["url"])
        case ("impact", 1): ImpactPage(query)
        case ("hosts", 1): try HostsPage(query)
        case ("doctor", 1): DoctorPage(database: database)
        default: nil
        }
    }

    func act(
        _ path: [String], _ form: Query, _ look: Look, by whom: String
    ) async throws -> VerbResult? {
        try await EditorVerbs(look: look, whom: whom, settings: database.settings).run(path, form)
    }

    /// What is said of something that isn't there, or can't be done now.
    static func asking<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ContentError {
            throw NotThere(description: "\(error)")
        }
    }
}

extension Tab {
    static let sites = Tab("Sites", "sites")
    static let links = Tab("Links", "links")
    static let items = Tab("Items", "items")
    static let explain = Tab("Explain", "explain")
    static let impact = Tab("Impact", "impact")
    static let hosts = Tab("Hosts", "hosts")
    static let doctor = Tab("Doctor", "doctor")
}

extension ListTable {
    /// What the command line has as a table.
    init<Row: TableRow>(_ caption: String, _ rows: [Row], none: String) {
        self.init(
            caption: caption, columns: Row.titles.map { .init($0) },
            rows: rows.map { $0.cells.map { Markup.optional($0) } }, none: none)
    }
}
