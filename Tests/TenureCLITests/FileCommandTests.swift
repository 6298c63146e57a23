import Foundation
import Synchronization
import Tenure
import TenureSystem
import TestSupport
import Testing

/// A file that no connection and no worker lives long enough for.
@Suite struct FileCommandTests {
    /// The whole size takes a minute: `bin/test files`.
    private static let isWhole = getenv("TENURE_TEST_WHOLE_FILES") != nil
    private static let mebibytes = isWhole ? 200 : 80
    /// What a worker that does nothing but this may hold of its own, however large the file is:
    /// without the pages of its program, which the kernel keeps and which grow with the program.
    private static let mostMemory = 64 << 20

    @Test func `a file outlives its connections and its workers`() async throws {
        let fixture = try await Fixture()
        let size = Self.mebibytes << 20
        var behaviour = FileServer.Behaviour(file: TestFile(size: size))
        behaviour.dropsAfter = size / 10
        let server = try FileServer(behaviour)
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
            .with("TENURE_CONTENT_HOST_INTERVAL", "100ms")
        let added = try await tenure.run("fetch", server.url, "--mode", "file")
        #expect(added.code == 0, "\(added.errors)")
        let job = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let watch = Task { try await Self.watch(job, tenure) }

        var memory: [Int] = []
        for share in [0.25, 0.6, 1] {
            let worker = try tenure.start("worker", "--lease", "2s", "--poll", "100ms")
            let goal = Int64(Double(size) * share)
            memory.append(
                try await fixture.follow(worker, untilReceived: goal, isLast: share == 1))
            worker.send(SIGKILL)
            _ = try await worker.result()
        }
        let seen = try await watch.value

        try await expectWhole(behaviour.file, server.url, job, tenure)
        // Nothing twice: every byte stands in one piece, and no request asked again for more than
        // a killed worker had not committed.
        #expect(
            try await fixture.value(
                """
                SELECT sum(octet_length(bytes)) = \(size) AND count(DISTINCT download) = 1
                FROM content.chunk
                """, as: Bool.self))
        let sent = server.requests.reduce(0) { $0 + $1.sent }
        #expect(sent >= size)
        #expect(sent <= size + 3 * (size / 10), "\(sent) bytes sent for \(size)")
        // Only the two killed runs have cost an attempt.
        #expect(
            try await fixture.value("SELECT attempt FROM tenure.job_history", as: Int32.self) == 3)
        #expect(memory.allSatisfy { $0 < Self.mostMemory }, "\(memory)")
        #expect(seen.count > 1, "seen: \(seen)")
        #expect(seen.allSatisfy { $0 > 0 && $0 <= Int64(size) })
        print(
            "FILES \(Self.mebibytes) MiB, \(server.requests.count) requests, \(sent >> 20) MiB "
                + "sent, memory \(memory.map { $0 >> 20 }) MiB, progress seen \(seen.count) times")
    }

    /// Complete, with the right bytes, and their hash.
    private func expectWhole(
        _ file: TestFile, _ url: String, _ job: String, _ tenure: Command
    ) async throws {
        try await withFolder { folder in
            let saved = try await tenure.run("item", "save", url, "-o", folder + "/file")
            #expect(saved.code == 0, "\(saved.errors)")
            try expect(folder + "/file", is: file)
            let shown = try await tenure.run("job", "show", job, "--json").object()
            let result = try #require(shown["result"] as? [String: Any])
            let hash = try #require(result["hash"] as? String)
            let sum = try await output(of: "/usr/bin/sha256sum", folder + "/file").prefix(64)
            #expect(hash == sum)
            #expect(shown["state"] as? String == "completed")
        }
    }

    @Test func `save says what is missing, and leaves nothing half`() async throws {
        let fixture = try await Fixture()
        let none = try await fixture.tenure.run("item", "save", "http://127.0.0.1:1/none")
        #expect(none.code == 2)
        #expect(none.errors.contains("nothing is kept of http://127.0.0.1:1/none"))
        let bad = try await fixture.tenure.run("item", "save", "ftp://a.test/")
        #expect(bad.code == 2)
        #expect(bad.errorLines.count == 1)

        let file = TestFile(size: 9 << 20)
        let server = try FileServer(FileServer.Behaviour(file: file))
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let fetched = try await tenure.run("fetch", server.url, "--mode", "file", "--wait")
        #expect(fetched.code == 0, "\(fetched.errors)")
        try await withFolder { folder in
            let id: UUID = try await fixture.value("SELECT id FROM content.file")
            let path = folder + "/saved"
            #expect(try await tenure.run("item", "save", "\(id)", "-o", path).code == 0)
            try expect(path, is: file)
            // What is kept is damaged: the file that is there stays.
            _ = try await fixture.pool.query(
                """
                UPDATE content.chunk
                SET bytes = overlay(bytes PLACING '\\x00ff00ff'::bytea FROM 100) WHERE start = 0
                """)
            let damaged = try await tenure.run("item", "save", server.url, "-o", path)
            #expect(damaged.code == 2)
            #expect(damaged.errors.contains("fetch it again with --force"))
            try expect(path, is: file)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["saved"])
            let nowhere = try await tenure.run("item", "save", server.url, "-o", "/none/a")
            #expect(nowhere.code == 2)
            #expect(nowhere.errorLines.count == 1)
        }
    }

    /// What an operator sees of it, again and again: each count once.
    private static func watch(_ job: String, _ tenure: Command) async throws -> [Int64] {
        var seen: [Int64] = []
        let end = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < end {
            let shown = try await tenure.run("job", "show", job, "--json").object()
            if let progress = shown["progress"] as? [String: Any],
                let done = progress["done"] as? Int64, done != seen.last
            {
                seen.append(done)
            }
            if shown["state"] as? String == "completed" { return seen }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw NeverHappened(what: "the fetch ends; seen \(seen)")
    }
}

extension Fixture {
    /// Until so many bytes are committed, or the whole is kept. Returns the most memory that the
    /// worker has had, in bytes.
    fileprivate func follow(
        _ worker: RunningCommand, untilReceived goal: Int64, isLast: Bool
    ) async throws -> Int {
        let end = ContinuousClock.now + .seconds(240)
        var most = 0
        while ContinuousClock.now < end {
            most = max(most, try Self.memory(of: worker.id))
            let isThere = try await value(
                isLast
                    ? "SELECT count(*) = 1 FROM content.file"
                    : "SELECT coalesce(max(received), 0) >= \(goal) FROM content.download",
                as: Bool.self)
            if isThere { return most }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw NeverHappened(what: "\(goal) bytes are there; the worker says \(worker.errors)")
    }

    private static func memory(of process: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? .max >> 10) << 10
    }
}

/// Says where a file on the disk differs.
private func expect(_ path: String, is file: TestFile) throws {
    let handle = try #require(FileHandle(forReadingAtPath: path))
    var place = 0
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
        if Array(data) != file.bytes(place..<place + data.count) {
            Issue.record("other bytes from \(place) on")
            return
        }
        place += data.count
    }
    #expect(place == file.size)
}
