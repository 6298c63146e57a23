import Content
import Tenure
import TenureFoundation

/// What of the product's own tables grows, and what to do about it.
struct GrowthCheck: Sendable {
    let pool: PostgresPool
    /// Smaller tables may grow as they like.
    private static let large: Int64 = 1 << 30
    /// So much of itself a day is told of: it doubles within months.
    private static let fastPercent: Int64 = 1
    /// The sweep that notes sizes is due every hour.
    private static let silence = 2 * 86_400.0

    func run() async -> [Finding] {
        do {
            return Self.judge(
                try await TableGrowth.all(in: pool), noted: try await TableGrowth.noted(in: pool),
                now: Date())
        } catch {
            return [.fail("growth", ErrorLine.text(error), "The tables can't be read")]
        }
    }

    static func judge(_ tables: [TableGrowth], noted: Date?, now: Date) -> [Finding] {
        let growing = tables.filter { table in
            guard table.bytes >= large, let daily = table.bytesPerDay else { return false }
            return daily > table.bytes / 100 * fastPercent
        }
        var findings = growing.map { table in
            Finding.warn(
                "growth",
                "\(text(table)); over \(SizeText.format(large)) and \(fastPercent) % a day is "
                    + "told of",
                remedy(for: table.table))
        }
        if let noted, now.timeIntervalSince(noted) > silence {
            findings.append(
                .warn(
                    "growth", "nothing has been swept since \(TimeText.full(noted))",
                    "A coordinator enqueues content-sweep every hour for a worker of the queue "
                        + "default; see tenure job list --kind content-sweep"))
        }
        if !findings.isEmpty { return findings }
        let all = SizeText.format(tables.reduce(0) { $0 + $1.bytes })
        guard let largest = tables.first else { return [.ok("growth", "there are no tables")] }
        return [.ok("growth", "\(all) in all; the largest is \(text(largest))")]
    }

    private static func text(_ table: TableGrowth) -> String {
        let pace = table.bytesPerDay.map { daily in
            ", \(daily < 0 ? "-" : "+")\(SizeText.format(abs(daily))) a day for "
                + CountText.of(table.days, "day")
        }
        return "content.\(table.table), \(SizeText.format(table.bytes))\(pace ?? "")"
    }

    private static func remedy(for table: String) -> String {
        switch table {
        case "site_check", "check_target", "check_finding":
            "Keep checks for less long (--keep-checks of the workers), or check less often"
        case "target_event": "Keep changes for less long: --keep-events of the workers"
        case "notice", "delivery": "Keep notices for less long: --keep-notices of the workers"
        case "candidate": "Keep doubted documents for less long: --keep-candidates of the workers"
        case "version", "body":
            "Keep versions for less long, or fewer: --keep-versions and --versions-per-item of the "
                + "workers; see what changes with: tenure item list"
        case "file", "download", "chunk", "large_body":
            "Delete the files that nobody needs: tenure item delete"
        default:
            "It has what is known of pages: bound the sites by rules, and delete what nobody "
                + "needs: tenure item delete"
        }
    }
}
