import SystemPackage
import Tenure
import TenureFoundation
import TenureTestKit
import TenureWorker
import Testing

/// What the page on handlers does with other programs, with real ones.
@Suite struct ProgramTests {
    private func jobs(_ script: String, in folder: URL) throws -> JobRegistry {
        let program = folder.appending(path: "convert")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: program.path)
        var jobs = JobRegistry()
        registerConversions(&jobs, program: FilePath(program.path))
        return jobs
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "convert-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left, nobody misses
        try await body(folder)
    }

    @Test func `a program's end is the job's, and what it complained of the reason`() async throws {
        try await withFolder { folder in
            let well = try jobs("test \"$2\" = owl.png", in: folder)
            #expect(
                try await TestRun(Convert(picture: "owl.png")).run(with: well).became == .completed)
            let sick = try jobs("echo 'no such picture' >&2; exit 3", in: folder)
            let run = try await TestRun(Convert(picture: "owl.png")).run(with: sick)
            #expect((run.error as? ConversionFailed)?.message == "no such picture\n")
        }
    }

    /// Foundation's `Process` starts children with SIGTERM blocked on Linux; this one doesn't.
    @Test(.timeLimit(.minutes(1)), arguments: ["", "trap '' TERM;"])
    func `a job that has to stop takes its program and its children with it`(
        trap: String
    ) async throws {
        try await withFolder { folder in
            let pids = folder.appending(path: "pids").path
            let jobs = try jobs(
                "\(trap) sleep 600 & echo $$ $! > \(pids).new; mv \(pids).new \(pids); wait; wait",
                in: folder)
            let run = try TestRun(Convert(picture: "owl.png"))
            async let report = run.run(with: jobs)
            while !FileManager.default.fileExists(atPath: pids) {
                try await Task.sleep(for: .milliseconds(10))
            }
            run.shutDown()
            #expect(try await report.endReason == .shutdown)
            let started = try String(contentsOfFile: pids, encoding: .utf8)
                .split(whereSeparator: \.isWhitespace)
            #expect(started.count == 2)
            // A signal that was sent takes its moment.
            for _ in 0..<500 where started.contains(where: Self.runs) {
                try await Task.sleep(for: .milliseconds(10))
            }
            for pid in started { #expect(!Self.runs(pid), "\(pid) was left behind") }
        }
    }

    private static func runs(_ pid: Substring) -> Bool {
        // Gone, or only its name is left until its parent has looked.
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        else { return false }
        return !status.contains("State:\tZ")
    }
}
