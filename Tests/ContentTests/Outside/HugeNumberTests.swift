import HTTPTransport
import Tenure
import TenureFoundation
import Testing
import Web

@testable import Content

/// Numbers that somebody else wrote, at their extremes: each of these ended the process once.
@Suite struct HugeNumberTests {
    private func download(_ received: Int64, of total: Int64?) -> Download {
        Download(
            id: 1, received: received, total: total, validator: "\"a\"", hash: SHA256(),
            head: FileHead(
                finalURL: "http://a.example/f", mediaType: nil, etag: nil, lastModified: nil))
    }

    @Test func `a part that ends with the last number there is is not usable`() {
        let response = HTTPResponse(
            status: 206, headers: ["Content-Range": "bytes 7-9223372036854775807/*"],
            url: "http://a.example/f")
        let reply = FileReply(response, asked: download(7, of: nil), now: .now)
        guard case .unusable = reply else {
            Issue.record("\(reply)")
            return
        }
    }

    @Test func `a length below zero, or with a sign, is no length`() {
        for length in ["-5", "+5", "9223372036854775808", "9223372036854775807"] {
            let response = HTTPResponse(
                status: 200, headers: ["Content-Length": length], url: "http://a.example/f")
            let reply = FileReply(response, asked: nil, now: .now)
            #expect(reply == .whole(total: nil, validator: nil), "\(length): \(reply)")
        }
    }

    private func options(_ change: (inout SiteCheckOptions) -> Void) throws -> SiteCheckOptions {
        var options = SiteCheckOptions()
        change(&options)
        return try SiteCheckOptions.decode(Array(JSONEncoder().encode(options)))
    }

    @Test(arguments: [1e300, -1, 0, .greatestFiniteMagnitude])
    func `a time to the first byte that is no time is refused with the run's row`(
        seconds: Double
    ) throws {
        let error = #expect(throws: ContentError.self) {
            try options { $0.firstByteSeconds = seconds }
        }
        #expect(error?.code == .badOption)
        #expect(error?.description.hasPrefix("firstByteSeconds is \(seconds); give ") == true)
    }

    @Test func `every other number of a check's options has its range, too`() throws {
        let changes: [(String, (inout SiteCheckOptions) -> Void)] = [
            ("ownInterval", { $0.ownInterval = 1e300 }), ("looks", { $0.looks = .max }),
            ("pauseSeconds", { $0.pauseSeconds = 1e300 }), ("depth", { $0.depth = .max }),
            ("freshSeconds", { $0.freshSeconds = 1e300 }), ("depth", { $0.depth = -1 }),
        ]
        for (name, change) in changes {
            let error = #expect(throws: ContentError.self) { try options(change) }
            #expect(
                error?.description.hasPrefix("\(name) is ") == true, "\(String(describing: error))")
        }
    }

    @Test(arguments: ["depth", "hops"])
    func `a place as far as numbers go is no payload`(field: String) {
        for number in ["9223372036854775807", "-1", "-9223372036854775808", "1000001"] {
            let payload =
                #"{"scope": "pages", "url": "http://a.example/", "\#(field)": \#(number)}"#
            let error = #expect(throws: ContentError.self) {
                try ContentJobs.check(DependencyCheck.kind, payload: payload)
            }
            #expect(
                error?.description.hasPrefix("payload.\(field): it is \(number); give 0 to ")
                    == true,
                "\(String(describing: error))")
        }
    }

    @Test func `a target that has failed as often as a row can say may fail once more`()
        async throws
    {
        let bench = try await CheckBench("huge", [:])
        try await bench.pool.query(
            """
            INSERT INTO content.target (id, href, state, failures)
            VALUES (content.digest('https://site.test/x'), 'https://site.test/x', 'suspect', $1)
            """, [Int32.max])
        try await bench.fetch(ContentFetch(url: "https://site.test/x"))
        let failures = try await bench.value("SELECT failures FROM content.target", as: Int32.self)
        #expect(failures > 2)
    }
}
