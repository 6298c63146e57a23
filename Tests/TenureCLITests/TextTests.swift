import Foundation
import Logging
import Tenure
import Testing

@testable import TenureCLI

@Suite struct TextTests {
    @Test func `passwords are taken out of whatever is printed`() {
        #expect(
            Redaction.secrets(in: "postgresql://ada:s3cret@host/db?x=1")
                == "postgresql://…@host/db?x=1")
        #expect(
            Redaction.secrets(in: "host=a password='s3 cret' user=b")
                == "host=a password=… user=b")
        #expect(Redaction.secrets(in: "x?password=s3cret&y") == "x?password=…&y")
        #expect(Redaction.secrets(in: "https://host:80/a@b") == "https://host:80/a@b")
    }

    /// What a page has in it takes nothing along of the report that tells of the page.
    @Test(arguments: [
        (
            "<failure>x?password=a</failure></testcase>",
            "<failure>x?password=…</failure></testcase>"
        ),
        (
            #""text" : "password='",\n "b" : "it isn't""#,
            #""text" : "password=…'",\n "b" : "it isn't""#
        ),
        ("404,password='s3 cret,x,y's", "404,password=…'s3 cret,x,y's"),
        ("| `password=a` | b |", "| `password=…` | b |"),
        ("<li title='password=x'>y</li>", "<li title='password=…'>y</li>"),
        ("conninfo password='s3 cret' x", "conninfo password=… x"),
    ])
    func `the form of a report stays whole`(text: String, expected: String) {
        #expect(Redaction.secrets(in: text, isDocument: true) == expected)
        #expect(Redaction.secrets(in: expected, isDocument: true) == expected)
    }

    @Test(arguments: [
        ("500ms", 0.5), ("30s", 30), ("30", 30), ("1.5m", 90), ("2h", 7200), ("1d", 86_400),
        ("250us", 0.00025), ("250µs", 0.00025),
    ])
    func `durations are read as people write them`(text: String, seconds: Double) {
        #expect(DurationText.parse(text) == .seconds(seconds))
    }

    @Test(arguments: [
        (0, "0s"), (0.000_000_4, "1µs"), (0.0005, "500µs"), (0.85, "850ms"), (12, "12s"),
        (12_600, "3.5h"),
    ])
    func `durations are written in the largest unit of two digits`(
        seconds: Double, text: String
    ) {
        #expect(DurationText.format(.seconds(seconds)) == text)
    }

    @Test(arguments: ["", "s", "-1s", "1 s", "1w", "nan", "inf", "1e99"])
    func `other texts are no durations`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test func `a table is aligned and holds no control characters`() {
        var table = Table("name", "count", "note")
        table.add("a", "7", "x\u{1B}[31m\ny")
        table.add("long", "10", nil)
        #expect(
            table.text == "NAME  COUNT  NOTE\na         7  x\\u001b[31m\\ny\nlong     10  -")
    }

    @Test func `a log line is one line in both formats`() throws {
        let entry = LogEntry(
            time: Date(timeIntervalSince1970: 0.25), level: .info, message: "two\nlines",
            metadata: ["job.id": "1", "error": "a \"b\"\nc"])
        #expect(
            TextLine.make(entry)
                == #"1970-01-01T00:00:00.250Z info two lines error="a \"b\" c" job.id=1"#)
        let line = JSONLine.make(entry)
        #expect(!line.contains("\n"))
        let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(fields?["message"] == "two\nlines")
        #expect(fields?["time"] == "1970-01-01T00:00:00.250Z")
    }

    @Test func `the three forms of a setting follow from its name`() {
        #expect(Setting.databaseURL.flag == "--database-url")
        #expect(Setting.databaseURL.environment == "TENURE_DATABASE_URL")
        #expect(Setting.exitWhenStuck.environment == "TENURE_EXIT_WHEN_STUCK")
        #expect(Setting.exitWhenStuck.flag == "--exit-when-stuck")
    }
}
