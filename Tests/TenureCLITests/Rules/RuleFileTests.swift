import Content
import Foundation
import TenureSystem
import Testing

@testable import TenureCLI

/// Rule files, good and bad. Whatever is wrong is told in one line, with its place.
@Suite struct RuleFileTests {
    private func read(_ text: String) throws -> SiteCheckOptions { try read(Array(text.utf8)) }

    private func read(_ bytes: [UInt8]) throws -> SiteCheckOptions {
        let path = NSTemporaryDirectory() + "/\(UUID().uuidString).yaml"
        try Data(bytes).write(to: URL(filePath: path))
        defer { unlink(path) }
        var options = SiteCheckOptions()
        do {
            try RuleFile.take(path, into: &options)
        } catch let failure as Failure {
            throw Failure(failure.description.replacing(path, with: "links.yaml"))
        }
        return try options.validated(of: "test")
    }

    private func problem(_ bytes: [UInt8]) -> String {
        do {
            _ = try read(bytes)
            return "read"
        } catch {
            return "\(error)"
        }
    }

    static let whole = """
        # Where we look.
        include: ["https://github.com/tenure/*"]
        exclude:
          - https://github.com/*
          - '*.zip'   # nobody reads them
        foreign: ["https://*.example.org/*", "https://github.com/*"]
        contact: links@example.org
        depth: 5
        strict: true
        fragments: false
        foreign-fragments: true
        text-fragments: false
        moved: true
        insecure-links: true
        interval: 250ms
        timeout: 10s
        fresh: 1d
        user-agent: Mozilla/5.0 (X11; Linux x86_64)
        limits: {total: 60s, body: 8MiB, looks: 2}
        accept:
          - 206
          - status: [403, "500..=599"]
            at: https://shop.example.org/*
        requests:
          - headers: {Accept-Language: de}
          - to: https://staging.example.org
            headers: {X-Preview: env:TENURE_SECRET_PREVIEW}
            basic: {user: crawler, password: file:staging}
            cookies: {session: env:TENURE_SECRET_SESSION}
        ignore:
          - target: https://old.example.org/*
            code: 404
            page: archive/*
            reason: their server moves
            until: 2027-01-31

        """

    @Test func `all that a file may say is read`() throws {
        let options = try read(Self.whole)
        let rules = options.rules
        #expect(rules.include.count == 1 && rules.exclude == ["https://github.com/*", "*.zip"])
        #expect(rules.foreign.count == 2 && options.checksForeign)
        #expect(options.contact == "links@example.org" && options.depth == 5 && options.strict)
        #expect(!rules.checksFragments && options.ownInterval == 0.25)
        #expect(rules.aspects.foreignFragments && !rules.aspects.text)
        #expect(rules.aspects.moved && rules.aspects.insecureLinks)
        #expect(options.firstByteSeconds == 10 && options.freshSeconds == 86_400)
        #expect(rules.userAgent == "Mozilla/5.0 (X11; Linux x86_64)")
        #expect(options.totalSeconds == 60 && options.bodyBytes == 8 << 20 && options.looks == 2)
        let statuses = rules.accept.map { $0.statuses.map(\.description) }
        #expect(statuses == [["206"], ["403", "500..=599"]])
        #expect(rules.requests.map(\.to) == [nil, "https://staging.example.org"])
        #expect(rules.requests[1].password == .secret(try SecretReference(file: "staging")))
        #expect(rules.ignore.count == 1 && rules.ignore[0].until == "2027-01-31")
        #expect(rules.ignore[0].code == "404" && rules.ignore[0].source.hasSuffix(".yaml:31"))
        #expect(try read("foreign: false").checksForeign == false)
        #expect(try read("exclude: '*.zip'").rules.exclude == ["*.zip"])
        #expect(try read("# nothing\n").rules == CheckRules())
    }

    private static let mistakes: [(text: String, told: [String])] = [
        (
            "exlude: [a]",
            ["links.yaml:1:1:", #"unknown key "exlude""#, #"did you mean "exclude"?"#]
        ),
        ("a: b\ninclude: [c]", ["1:1:", "Known here: include, exclude"]),
        ("exclude:\n- [a]", ["2:3:", "exclude is a list; give a text"]),
        ("exclude: ''", ["1:10:", "exclude is empty"]),
        ("exclude:", ["1:9:", "exclude is nothing"]),
        ("exclude: a b", ["1:10:", "%20"]),
        ("exclude: 'https://a/?token=hunter2'", ["1:10:", "put * in the secret's place"]),
        ("exclude:\n  - *.zip", ["2:5:", "quotes"]),
        ("moved: maybe", ["1:8:", #"moved is "maybe"; give true or false"#]),
        ("strict: yes", ["1:9:", #"strict is "yes"; give true or false"#]),
        ("strict: 'true'", ["1:9:", "give true or false"]),
        ("foreign: some", ["1:10:", "true, false or a list"]),
        ("depth: -1", ["1:8:", "from 0 to"]), ("depth: 99999999999999999999", ["1:8:"]),
        ("depth: 1e3", ["1:8:"]), ("timeout: soon", ["1:10:", "500ms, 10s"]),
        ("timeout: 0s", ["1:10:"]), ("limits: 3", ["1:9:", "give a map"]),
        ("limits: {bytes: 3}", ["1:10:", #"did you mean "#, "body"]),
        ("limits: {body: 8MB}", ["1:16:", "8MiB"]), ("limits: {looks: 0}", ["1 to 20"]),
        ("accept: 99", ["1:9:", "100 to 999"]), ("accept: [{at: x}]", ["1:10:", "no status"]),
        ("accept: [{status: 4O3}]", ["1:19:", "403"]),
        ("user-agent: ü", ["1:13:", "ASCII"]), ("- a\n- b", ["1:1:", "give a map"]),
        ("just text", ["1:1:", "give a map"]), ("exclude: a\nexclude: b", ["2:1:", "line 1"]),
        ("requests: [{to: '*'}]", ["1:17:", "one origin"]),
        ("requests: [{to: 'https://a.test/x'}]", ["1:17:", "without a path"]),
        ("requests: [{to: 'https://u:p@a.test'}]", ["1:17:"]),
        (
            "requests: [{basic: {user: a, password: hunter2}}]",
            ["1:20:", "env:TENURE_SECRET_NAME"]
        ),
        ("requests: [{basic: {user: a}}]", ["1:20:", "both"]),
        (
            "requests: [{basic: {user: a, password: env:TENURE_SECRET_A}}]",
            ["1:12:", "every host", "to: https://"]
        ),
        ("requests: [{headers: {Authorization: Bearer hunter2}}]", ["1:38:", "file:NAME"]),
        ("requests: [{headers: {X-Api-Key: hunter2}}]", ["1:34:", "env:TENURE_SECRET_NAME"]),
        ("requests: [{headers: {Host: hunter2}}]", ["leave it out"]),
        ("requests: [{headers: {Cookie: hunter2}}]", ["under cookies"]),
        ("requests: [{headers: {User-Agent: hunter2}}]", ["user-agent"]),
        ("requests: [{headers: {'X A': hunter2}}]", ["letters, digits"]),
        ("requests: [{headers: {A: b, a: hunter2}}]", ["1:29:", "twice"]),
        ("requests: [{cookies: {s: hunter2}}]", ["1:26:", "env:TENURE_SECRET_NAME"]),
        ("requests: [{headers: {A: env:DATABASE_URL}}]", ["TENURE_SECRET_"]),
        ("requests: [{headers: {A: file:/etc/passwd}}]", ["without a path"]),
        ("requests: [{headers: {A: [hunter2]}}]", ["no text"]),
        ("ignore: [{target: x}]", ["1:10:", "reason is missing"]),
        ("ignore: [{reason: x}]", ["1:10:", "target is missing"]),
        ("ignore: [{target: x, reason: y, until: 2027-02-31}]", ["1:40:", "2027-01-31"]),
        ("a: &a [*a]", ["1:4:", "anchors"]), ("exclude: !!str a", ["1:10:", "tags"]),
        ("exclude:\n\t- a", ["2:1:", "spaces"]), ("depth: 1\n---\ndepth: 2", ["2:1:"]),
        ("depth: \u{1B}[31m", ["1:8:", "0x1B"]), ("depth: 1\u{0}", ["1:9:", "0x00"]),
    ]

    @Test(arguments: mistakes.indices)
    func `a mistake is told with its place and what was expected`(index: Int) {
        let (text, told) = Self.mistakes[index]
        let problem = problem(Array(text.utf8))
        for words in told { #expect(problem.contains(words), "\(text): \(problem)") }
        #expect(problem.hasPrefix("links.yaml:"), "\(problem)")
        #expect(!problem.contains { $0.isNewline }, "\(problem)")
        #expect(!problem.contains("hunter2"), "\(problem)")
    }

    @Test func `what is no file of rules is told of as what it is`() throws {
        let folder = NSTemporaryDirectory() + "/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (fifo, big) = ("\(folder)/fifo", "\(folder)/big")
        #expect(mkfifo(fifo, 0o600) == 0)
        let descriptor = open(big, O_CREAT | O_WRONLY, 0o600)
        #expect(ftruncate(descriptor, 100 << 20) == 0 && close(descriptor) == 0)
        for (path, words) in [
            (folder, "is a directory"), (fifo, "no regular file"), (big, "larger than 256 KiB"),
            ("\(folder)/none", "isn't there"), ("/dev/zero", "no regular file"),
        ] {
            var options = SiteCheckOptions()
            let failure = #expect(throws: Failure.self) {
                try RuleFile.take(path, into: &options)
            }
            #expect(failure?.description.contains("--rules \(path)") == true)
            #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
        }
    }

    @Test func `a file that is cut off or spoilt never does more than say so`() {
        var random = SystemRandomNumberGenerator()
        let sample = Array(Self.whole.utf8)
        for round in 0..<2000 {
            var bytes = Array(sample.prefix(Int.random(in: 0...sample.count, using: &random)))
            for _ in 0..<(round % 4) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = .random(in: 0 ... .max, using: &random)
            }
            let told = problem(bytes)
            #expect(told == "read" || told.hasPrefix("links.yaml:"), "\(told)")
            #expect(!told.contains { $0.isNewline }, "\(told)")
        }
    }
}

extension SiteCheckOptions {
    /// A file that is read is one that a check takes.
    fileprivate func validated(of name: String) throws -> SiteCheckOptions {
        _ = try rules.validated()
        return self
    }
}
