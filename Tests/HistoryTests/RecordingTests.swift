import Foundation
import History
import Testing

/// What can't be judged is told by file, line and reason.
@Suite struct RecordingTests {
    private static func complaint(_ change: (inout [String: Data]) -> Void) async -> String? {
        var world = World()
        world.work(1)
        var files = world.files
        change(&files)
        do throws(UnusableRecording) {
            _ = try await Recording(files: files)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        arguments: ["settings.json", "audit.jsonl", "final.jsonl", "sink.jsonl", "faults.jsonl"])
    func `a file that is missing`(_ name: String) async {
        let complaint = await Self.complaint { $0[name] = nil }
        #expect(complaint == "\(name): is missing")
    }

    @Test func `no log of any process`() async {
        let complaint = await Self.complaint { files in
            files = files.filter { !$0.key.hasPrefix("process-") }
        }
        #expect(complaint == "process-*.jsonl: is missing")
    }

    @Test(arguments: [
        ("process-w1.jsonl", "{\"boot\": 1, \"event\"", "the line ends where : should be"),
        (
            "process-w1.jsonl", "{\"boot\": 1, \"event\": \"slept\"}",
            "`event` is `slept`, which the format doesn't know"
        ),
        ("process-w1.jsonl", "{\"boot\": 1, \"event\": \"claimed\"}", "`job` is missing"),
        (
            "process-w1.jsonl", "{\"boot\": \"now\", \"event\": \"claimed\"}",
            "`boot` is not a number"
        ),
        (
            "process-w1.jsonl", "{\"boot\": 1, \"event\": \"late\", \"job\": \"A\", \"fence\": 1}",
            "`job` is not a lower-case UUID"
        ),
        (
            "process-w1.jsonl", "{\"boot\": 1, \"event\": \"leaseExpired\", \"session\": 1} {",
            "`{` where the line's end should be"
        ),
        ("audit.jsonl", "nonsense", "`n` where { should be"),
        (
            "audit.jsonl",
            "{\"seq\": 1, \"boot\": 1, \"xid\": 1, \"table\": \"job\", \"op\": \"x\"}",
            "`op` is `x`, which the format doesn't know"
        ),
        (
            "audit.jsonl",
            "{\"seq\": 99, \"boot\": 1, \"xid\": 1, \"table\": \"job\", \"op\": \"insert\"}",
            "`new` is missing"
        ),
        ("sink.jsonl", "{\"job\": 3}", "`job` is not a text"),
        (
            "faults.jsonl", "{\"boot\": 1, \"fault\": \"rain\"}",
            "`fault` is `rain`, which the format doesn't know"
        ),
        ("faults.jsonl", "{\"boot\": 1, \"fault\": \"killWorker\"}", "`process` is missing"),
        (
            "final.jsonl", "{\"table\": \"lane\", \"row\": {}}",
            "`table` is `lane`, which the format doesn't know"
        ),
    ])
    func `a line that is wrong`(_ name: String, _ line: String, _ what: String) async {
        let complaint = await Self.complaint { files in
            let text = String(decoding: files[name] ?? Data(), as: UTF8.self)
            var lines = text.split(separator: "\n").map(String.init)
            lines.insert(line, at: 1)
            files[name] = Data((lines.joined(separator: "\n") + "\n").utf8)
        }
        #expect(complaint == "\(name):2: \(what)")
    }

    @Test func `half a last line of a process that was killed is ignored`() async {
        let complaint = await Self.complaint { files in
            files["process-w1.jsonl"]?.append(Data("{\"boot\": 1, \"ev".utf8))
        }
        #expect(complaint == nil)
    }

    @Test func `half a last line of the audit is not`() async throws {
        let complaint = await Self.complaint { files in
            files["audit.jsonl"]?.append(Data("{\"seq\": 1".utf8))
        }
        #expect(complaint?.hasPrefix("audit.jsonl:") == true)
    }

    @Test func `an audit that is out of order`() async throws {
        let complaint = await Self.complaint { files in
            let text = String(decoding: files["audit.jsonl"] ?? Data(), as: UTF8.self)
            let lines = text.split(separator: "\n").reversed().joined(separator: "\n")
            files["audit.jsonl"] = Data((lines + "\n").utf8)
        }
        #expect(complaint?.hasSuffix("is not after the last") == true)
    }

    @Test func `faults that break off before the end`() async throws {
        let complaint = await Self.complaint { $0["faults.jsonl"] = Data() }
        #expect(complaint == "faults.jsonl: there is no `end`: the recording broke off")
    }

    @Test func `settings that lack something`() async throws {
        let complaint = await Self.complaint { $0["settings.json"] = Data("{\"seed\": 1}".utf8) }
        #expect(complaint == "settings.json: `leaseSeconds` is missing")
    }

    @Test func `a folder that isn't there`() async {
        await #expect(throws: UnusableRecording.self) {
            _ = try await Recording(folder: "no/such/folder")
        }
    }

    @Test func `a folder`() async throws {
        let folder = URL.temporaryDirectory.appending(path: "history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // Reason for `try?`: what is left of a temporary folder matters to nobody.
            try? FileManager.default.removeItem(at: folder)
        }
        for (name, data) in World.rich.files {
            try data.write(to: folder.appending(path: name))
        }
        let verdict = Verdict(try await Recording(folder: folder.path()))
        #expect(verdict.violations.map(\.sentence) == [])
    }

    @Test func `a large audit is read in pieces, and its lines are numbered`() async throws {
        var world = World()
        for job in 1...700 {
            world.work(job) { $0.tag = String(repeating: "a \"long\" tag ", count: 20) }
            if job % 20 == 0 { world.beat() }
        }
        var broken = world.files
        #expect(broken["audit.jsonl"]?.count ?? 0 > 1 << 20)
        #expect(Verdict(try await Recording(files: broken)).violations.map(\.sentence) == [])
        broken["audit.jsonl"]?.append(Data("?\n".utf8))
        do throws(UnusableRecording) {
            _ = try await Recording(files: broken)
            Issue.record("it was read")
        } catch {
            #expect(error.line == world.audit.count + 1)
        }
    }
}
