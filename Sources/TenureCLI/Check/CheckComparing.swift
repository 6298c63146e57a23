import ArgumentParser
import Content
import Tenure
import TenureFoundation

/// `tenure check --compare A B`: two checks that are over; nobody is asked for anything.
struct CheckComparing: Sendable {
    let check: Check

    init(_ check: Check) { self.check = check }

    static func validate(_ check: Check) throws {
        let ids = check.compare
        if ids.isEmpty { return }
        guard ids.count == 2 else {
            throw ValidationError(
                "--compare has \(CountText.of(ids.count, "id")); give two: of the earlier check, "
                    + "and of the later one")
        }
        for id in ids where UUID(uuidString: id) == nil {
            throw ValidationError(
                "--compare is \"\(id)\"; give a check's id, as tenure batch list --all has it")
        }
        if !check.inputs.asked.isEmpty || check.baseline != nil {
            throw ValidationError("--compare checks nothing; leave the place and --baseline out")
        }
        let flags = check.inputs.given ?? check.flags.given
        if let flag = check.site ? "--site" : flags {
            throw ValidationError("--compare checks nothing; leave \(flag) out")
        }
        let formats = try [check.format] + ReportFile.all(check.report).map(\.format)
        if let format = formats.first(where: { !$0.comparesChecks }) {
            throw ValidationError(
                "--compare has no report as \(format.rawValue); give text, json, markdown, sarif, "
                    + "github or html")
        }
    }

    func run() async throws {
        let ids = check.compare.compactMap { UUID(uuidString: $0) }
        let comparison = try await Database.product(check.common) { database in
            try await SiteCheck(pool: database.pool, client: database.client)
                .compare(ids[0], with: ids[1])
        }
        Terminal.output(try check.format.write(comparison))
        try ReportFile.write(ReportFile.all(check.report)) { try $0.write(comparison) }
        if !comparison.new.isEmpty { throw ExitCode(Exit.findings) }
    }
}
