import ArgumentParser
import Content
import Logging
import Tenure
import TenureFoundation

struct Check: TenureCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the links of pages, sites, folders and files.",
        discussion: """
            All that is named is one check, with one report. A folder is served on 127.0.0.1 for \
            the time of the check, and all its documents are checked: of one with Markdown at its \
            top and no index.html, that. Files are served with the folder that holds them. Of a \
            URL or an item, the page's links are checked; with --site every page below its folder. \
            Foreign hosts \
            are asked only with a --contact, once a second at most. The work is done by a process \
            of its own, or by as many as --workers says; with --workers 0 by the workers of the \
            queue "default", whenever they run. Those go by their own settings: to check a folder \
            or a private site, start them with TENURE_CONTENT_ALLOW_SITES, such as 127.0.0.1.

            Example:
              tenure check ./public
              tenure check README.md 'docs/**/*.md'
              git ls-files '*.md' | tenure check -
              tenure check --site https://example.org/docs/ --contact https://example.org/bot
              tenure check ./public --format junit --baseline known.json
              tenure check ./public --report sarif=links.sarif --report html=links.html
              tenure check --compare 01990000-0000-7000-8000-000000000000 \
                01990000-0000-7000-8000-000000000001

            Exit codes: 0 clean, 1 findings, 2 could not do it, 3 cancelled.
            """)

    @OptionGroup var common: CommonFlags
    @OptionGroup var inputs: InputFlags
    @Flag(help: "Every page below the URLs' folders. A folder is always checked as a whole.")
    var site = false
    @Option(help: "Worker processes to start, 0 to 64.") var workers = Crew.usual
    @Option(help: "\(ReportFormat.names).") var format = ReportFormat.text
    @Option(
        help: ArgumentHelp(
            "A report in a file, beside the one that is printed: sarif=links.sarif; repeatable.",
            valueName: "FORMAT=FILE"))
    var report: [String] = []
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Two checks of a site, by their ids: what is newly broken, mended, and still broken. "
                + "Nobody is asked. Ends with 1 when something is newly broken.",
            valueName: "ID"))
    var compare: [String] = []
    @Option(
        help: ArgumentHelp(
            "Known breakage: only what is new is reported, and counts. The file is written "
                + "where there is none.", valueName: "FILE"))
    var baseline: String?
    @Flag(help: "Write the baseline anew, with all that was found.") var updateBaseline = false
    @OptionGroup var flags: CheckFlags
    @Option(help: "How long a started worker may be silent before its jobs go on elsewhere.")
    var lease = "6s"

    func validate() throws {
        _ = try ReportFile.all(report)
        if inputs.isEmpty, compare.isEmpty {
            throw ValidationError("Missing expected argument '<URL|PATH|PATTERN|ITEM>'")
        }
        try CheckComparing.validate(self)
        guard (0...64).contains(workers) else {
            throw ValidationError("--workers is \(workers); give 0 to 64")
        }
        if updateBaseline, baseline == nil {
            throw ValidationError("--update-baseline needs a file; give --baseline FILE, too")
        }
    }

    func execute() async throws {
        let files = try ReportFile.all(report)
        for file in files { try file.requirePlace() }
        if !compare.isEmpty { return try await CheckComparing(self).run() }
        let gathered = try GatheredInputs(InputReader.read(inputs), root: inputs.root)
        let settings = try await common.settings()
        let server = try gathered.folder.map { try FolderServer($0) }
        var options = try flags.options(settings.product)
        options.kind = site || gathered.hasFolder ? .site : .links
        try await Database.with(settings, absent: .isMade) { [options] database in
            try await database.prepareForCheck()
            var start = gathered.start(items: try await urls(of: gathered.items, in: database))
            start.followsURLs = site
            guard let server else {
                return try await run(on: database, start, options, folder: nil)
            }
            try await server.serve { [start] url in
                var start = start
                start.served = (server.folder, url)
                try await run(on: database, start, options, folder: gathered.shownFolder)
            }
        }
    }

    private func urls(of items: [UUID], in database: Database) async throws -> [UUID: String] {
        var urls: [UUID: String] = [:]
        for id in items {
            guard let item = try await Items(pool: database.pool).item(.id(id)) else {
                throw Failure.noItem(id.uuidString.lowercased())
            }
            urls[id] = item.url
        }
        return urls
    }

    private func run(
        on database: Database, _ start: CheckInputs, _ options: SiteCheckOptions, folder: String?
    ) async throws {
        let report = try await CheckSession(
            database: database, common: common, isServing: folder != nil, workers: workers,
            lease: lease
        ).run(options) { check, options, id in try await check.start(start, options, as: id) }
        // One that is broken is a finding, but no known breakage.
        if let problem = report.startProblem, report.isComplete || report.unreadPages > 0,
            report.confirmed.isEmpty || baseline != nil
        {
            throw Failure("\(report.site) gave no page to check: \(problem)")
        }
        let (news, learned) = try news(in: report)
        // What is found is told before anything is written that may fail.
        Terminal.output(try format.write(news, folder: folder))
        try ReportFile.write(ReportFile.all(self.report)) { try $0.write(news, folder: folder) }
        if let learned, let baseline {
            try learned.write(baseline)
            let count = report.confirmed.count
            Terminal.error("tenure: \(baseline) holds \(count) known findings now")
        }
        if report.wasCancelled { throw CancellationError() }
        if report.unreadPages > 0 {
            throw Failure(
                "\(report.unreadPages) of the site's pages were not read, because it wants pauses "
                    + "or refused: not everything was checked; ask it more slowly, with "
                    + "--interval 2s, or later, where it wants a pause of more than a minute")
        }
        guard report.isComplete else {
            let lost = CountText.of(report.discardedJobs, "job")
            throw Failure(
                "\(lost) given up: not everything was checked; see "
                    + "tenure job list --state discarded")
        }
        if !news.confirmed.isEmpty { throw ExitCode(Exit.findings) }
    }

    /// What the baseline doesn't know. One that isn't there is made, of a complete check only.
    /// - Returns: what is to be told, and the baseline that is to be written after that.
    private func news(in report: CheckReport) throws -> (CheckReport, Baseline?) {
        guard let baseline else { return (report, nil) }
        if !updateBaseline, let known = try Baseline.read(baseline) {
            let news = known.news(in: report)
            let count = report.findings.count - news.findings.count
            if count > 0 { Terminal.error("tenure: \(count) known findings are not shown") }
            return (news, nil)
        }
        guard report.isComplete else { return (report, nil) }
        let new = Baseline(report)
        return (new.news(in: report), new)
    }
}
