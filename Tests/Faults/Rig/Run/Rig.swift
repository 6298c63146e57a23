import EmbeddedPostgres
import FaultSupport
import Tenure
import TenureSystem

/// One run, from the first process to the last.
final class Rig: Sendable {
    static let poll = 0.2

    let options: RigOptions
    let recording: Recording
    let database: Database
    let load: Load
    private let pooler: PgBouncer?
    private let workFolder: String
    private let disk: SmallDisk?
    /// Why the disk can't be filled here.
    private let noDisk: String?
    private let started = bootTime()

    init(_ options: RigOptions, noDisk: String?) async throws {
        self.options = options
        recording = try Recording(options.folder)
        workFolder = try Self.makeWorkFolder()
        let shim = try await ClockShim.compile(in: workFolder)
        var noDisk = noDisk
        var disk: SmallDisk?
        if noDisk == nil {
            do {
                let gigabytes = 4 + Int(options.seconds / 360)
                disk = try await SmallDisk(in: workFolder, gigabytes: gigabytes)
            } catch let failure as ProcessFailure {
                noDisk = "\(failure)"
            }
        }
        self.noDisk = noDisk
        self.disk = disk
        if let noDisk { say("!! fillDisk is not possible here: \(noDisk)") }
        database = try await Database(
            folder: "\(disk?.folder ?? workFolder)/postgres",
            clock: SteppedClock(
                "\(workFolder)/database.clock", shim, base: options.databaseAhead))
        try await database.prepare()
        let socketFile = database.socketFile
        pooler =
            options.isPooled
            ? try await PgBouncer(to: String(socketFile.dropLast("/.s.PGSQL.5432".count))) : nil
        load = try Load(
            options, recording: recording, database: database,
            socketFile: pooler?.socketFile ?? socketFile, shim: shim, folder: workFolder)
    }

    func run() async throws -> Verdict {
        try writeSettings()
        var isDrained = false
        do {
            isDrained = try await withThrowingTaskGroup(of: Void.self) { group in
                try await load.start(in: &group)
                group.addTask { try await self.reportProgress() }
                let isDrained = try await self.injectAndDrain()
                group.cancelAll()
                return isDrained
            }
        } catch {
            say("!! the run broke off: \(error)")
            try await shutDown()
            throw error
        }
        try await Dump(pool: database.pool, recording: recording).run()
        let verdict = try await judge(isDrained: isDrained)
        try await shutDown()
        return verdict
    }

    private func judge(isDrained: Bool) async throws -> Verdict {
        var verdict = Verdict(failures: load.uncleanEnds)
        verdict.add(
            recording.all, Evidence(recording.folder, lease: options.lease), options: options,
            noDisk: noDisk)
        let figures = Figures(database: database, folder: recording.folder)
        try await figures.add(to: &verdict)
        if !isDrained { verdict.fail("not drained: \(try await figures.left())") }
        return verdict
    }

    private func injectAndDrain() async throws -> Bool {
        let kinds = options.kinds.filter { $0 != .fillDisk || disk != nil }
        let plan = FaultPlan.make(
            kinds: kinds, seconds: options.seconds, lease: options.lease, seed: options.seed)
        let injector = Injector(
            recording: recording, database: database, disk: disk, workers: load.workers,
            coordinators: load.coordinators, producers: load.producers,
            databaseGoesBack: options.databaseGoesBack)
        let end = ContinuousClock.now + .seconds(options.seconds)
        try await injector.run(plan)
        try await Task.sleep(until: end, clock: .continuous)
        try await injector.mend()
        try await load.stopProducing()
        recording.mark("end")
        let isDrained = try await drain()
        if isDrained { recording.mark("drained") }
        try await load.stopWorking()
        return isDrained
    }

    /// Waits until no job is left that can run; in vain when it takes many times what is promised.
    private func drain() async throws -> Bool {
        let end = ContinuousClock.now + .seconds(options.lease * 10 + 30)
        while ContinuousClock.now < end {
            let left = try await database.number(
                "SELECT count(*) FROM tenure.job WHERE state <> 'held'")
            if left == 0 { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    private func reportProgress() async throws {
        let start = ContinuousClock.now
        while true {
            try await Task.sleep(for: .seconds(10))
            let seconds = Int(start.duration(to: .now) / .seconds(1))
            let faults = recording.all.count
            var jobs = "the database is away"
            do {
                let ended = try await database.number("SELECT count(*) FROM tenure.job_history")
                let left = try await database.number("SELECT count(*) FROM tenure.job")
                jobs = "\(ended) jobs ended, \(left) unfinished"
            } catch is PostgresError {
                // It is being killed: the next line tells more.
            }
            say("  \(seconds) s: \(faults) faults, \(jobs)")
        }
    }

    private func writeSettings() throws {
        try recording.settings([
            ("seed", .integer(Int64(options.seed))), ("leaseSeconds", .number(options.lease)),
            ("marginSeconds", .number(options.lease / 3)),
            ("stopDelaySeconds", .number(options.lease / 6)),
            ("sweepSeconds", .number(options.lease / 6)), ("pollSeconds", .number(Self.poll)),
            ("longestWorkSeconds", .number(options.lease * JobMaker.longestWork)),
            ("clockRateError", .number(0.01)), ("tickSeconds", .number(0.25)),
            ("maxRefunds", JSONValue(1000)),
            (
                "lanes",
                .array(
                    JobMaker.lanes.map { lane in
                        .object([
                            ("queue", "laned"), ("lane", .string(lane)),
                            ("maxRunning", JSONValue(JobMaker.laneLimit)),
                        ])
                    })
            ),
            (
                "queues",
                .array([
                    .object([
                        ("queue", "limited"), ("maxRunning", JSONValue(JobMaker.queueLimit)),
                    ])
                ])
            ),
            ("cancellation", options.deliversCancellation ? "on" : "off"),
        ])
    }

    private func shutDown() async throws {
        await database.pool.close()
        pooler?.stop()
        try await database.server.stop()
        _ = try await ChildProcess(
            [
                "/usr/bin/env", "sh", "-c", "umount \"$0/disk\" 2>/dev/null; rm -rf -- \"$0\"",
                workFolder,
            ]
        ).end()
    }

    private static func makeWorkFolder() throws -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/tenure-rig-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ProcessFailure(what: "mkdtemp", errno: errno)
        }
        // PostgreSQL runs as another user, and reads its clock here.
        chmod(template, 0o755)
        return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
