import ArgumentParser

@testable import TenureCLI

/// How each command is run among canaries. The commands are found by themselves: one that is not
/// here fails the test.
struct CanaryCommands {
    /// A URL with a canary in it that was fetched and checked.
    let url: String
    /// A key that was made of it.
    let key: String
    let run: String
    let jobs: [String]
    /// Where files may be written.
    let folder: String

    /// Those with something to say; an empty list: what it does is done apart, and read, too.
    var all: [String: [[String]]] {
        work.merging(content) { $1 }.merging(operating) { $1 }
    }

    private var work: [String: [[String]]] {
        [
            "up": [], "worker": [], "coordinator": [], "web": [],  // they run all the time
            "migrate up": [[]], "migrate status": [[]], "roles": [[]], "doctor": [[]],
            "restore check": [[]], "stats": [[]], "top": [["--count", "1"]],
            "enqueue": [
                [
                    "demo-sleep", "--payload", #"{"seconds":0,"password":"kanary-payload"}"#,
                    "--key", "https://a.test/?token=kanary-key",
                ],
                ["demo-fail", "--payload", #"{"password":kanary-payload}"#],
                [
                    "demo-sleep", "--payload", #"{"seconds":0,"password":"kanary-payload"}"#,
                    "--queue", "small", "--wait-when-full", "1s",
                ],
            ],
        ]
    }

    private var content: [String: [[String]]] {
        let item = [[url], ["http://u:kanary-userinfo@127.0.0.1/x"]]
        return [
            "check": ReportFormat.allCases.map {
                [url, "--site", "--allow", "127.0.0.1", "--format", $0.rawValue]
            } + [
                [url, "--allow", "127.0.0.1", "--report", "html=\(folder)/report.html"],
                ["--compare", run, run],
                ["http://u:kanary-userinfo@127.0.0.1/x", "--allow", "127.0.0.1"],
                [url, "--allow", "127.0.0.1", "--baseline", "\(folder)/baseline.json"],
            ],
            "batch list": [["--all"]], "batch show": [[run]], "batch watch": [[run]],
            "batch cancel": [[run]], "explain": item, "impact": item,
            "links broken": [[], ["--new"], ["--since", "7d"]],
            "links ignore": [
                [url, "--reason", "password=kanary-payload"],
                ["*", "--code", "1", "--reason", "r", "--until", "2020-01-31"],
            ],
            "links ignored": [[], ["--json"]], "links unignore": [["1"], ["1", "--json"]],
            "item delete": [[url], ["http://u:kanary-userinfo@127.0.0.1/x"]],
            "fetch": item + [
                [url, "--wait"], [url, "--wait", "--force"],
                ["http://127.0.0.1:1/?token=kanary-query&other=1"],
            ],
            "item show": item, "item list": [[], ["--words", "kanary-query"]],
            "item history": item,
            "item refuse": item, "item words on": [[]], "item words off": [[]],
            "item words status": [[], ["--json"]],
            "item edit": [[url, "--set", "title=mine"], [url, "--clear", "nonsense"]],
            "item save": [
                [url, "-o", "\(folder)/saved"], ["\(url)&none", "-o", "\(folder)/none"],
            ],
            "site add": [
                ["\(url)&site=1", "--allow", "127.0.0.1"],
                ["http://u:kanary-userinfo@127.0.0.1/x", "--allow", "127.0.0.1"],
            ],
            "site list": [[], ["--json"]], "site show": [["\(url)&site=1"], ["\(url)&none"]],
            "site change": [
                ["\(url)&site=1", "--depth", "3"],
                ["\(url)&site=1", "--header", "X-Api-Key: kanary-query"],
                ["\(url)&site=1", "--exclude", "https://a.test/?token=kanary-query"],
            ],
            "site check": [["\(url)&site=1"]], "site pause": [["\(url)&site=1"]],
            "site resume": [["\(url)&site=1"], ["\(url)&none"]],
            "site remove": [["\(url)&none"]],
            "notify add": [
                ["ops", "--webhook", "http://127.0.0.1:1/?token=kanary-query"],
                ["bad", "--webhook", "http://u:kanary-userinfo@127.0.0.1/x"],
                [
                    "worse", "--mail", "a@b.test", "--from", "a@b.test", "--server",
                    "smtp://u:kanary-userinfo@127.0.0.1",
                ],
            ],
            "notify list": [[], ["--json"]], "notify test": [["ops", "--timeout", "1s"]],
            "notify resume": [["ops"]], "notify remove": [["nobody"]],
            "host list": [[]], "host show": [["127.0.0.1"]], "host release": [["127.0.0.1"]],
            "host set": [["127.0.0.1", "--own"]], "host hold": [["b.test", "--for", "1s"]],
        ]
    }

    private var operating: [String: [[String]]] {
        let nobody = "01990000-0000-7000-8000-000000000000"
        return [
            "job keys": [[], ["--json"]], "job list": [[], ["--finished"], ["--error", "login"]],
            "job show": jobs.map { [$0] } + [[nobody]],
            "job cancel": [[nobody]], "job retry": [["--all", "--error", "log", "--dry-run"]],
            "job edit": [
                [jobs[0], "--payload", #"{"password":"kanary-payload"}"#],
                [jobs[0], "--payload", #"{"password":kanary-payload}"#],
                [nobody, "--priority", "1"],
            ],
            "action list": [[], ["--job", nobody]],
            "job discard": [[nobody]], "job forget": [[nobody], ["--all", "--key", key]],
            "job delete": [[nobody]],
            "queue list": [[]], "queue show": [["default"]], "queue pause": [["small"]],
            "queue resume": [["small"]], "queue drain": [["small", "--timeout", "1s"]],
            "queue limit": [["small", "3"]], "queue rate": [["small", "1/1s"]],
            "queue age": [["small", "10m"]],
            "queue capacity": [["small", "3"]], "kind list": [[]],
            "lane list": [[]], "lane show": [["host:127.0.0.1"]], "lane set": [["l"]],
            "lane hold": [["l", "--for", "1s"]], "lane release": [["l"]],
            "kind letters": [["small", "lost"]], "queue letters": [["small", "none"]],
            "kind pause": [["small"]], "kind resume": [["small"]],
            "key show": [["content-fetch", key]],
            "key signal": [
                ["content-fetch", key, "go", "--payload", #"{"password":"kanary-payload"}"#]
            ],
            "job signal": [[nobody, "go", "--payload", #"{"password":"kanary-payload"}"#]],
            "worker list": [[]], "worker show": [["1"]], "worker stop": [["nobody"]],
            "schedule add": [
                [
                    "s", "demo-fail", "--every", "1h", "--payload",
                    #"{"password":"kanary-payload"}"#,
                ],
                ["t", "demo-fail", "--every", "1h", "--payload", #"{"password":kanary-payload}"#],
            ],
            "schedule list": [[]], "schedule show": [["s"]], "schedule trigger": [["s"]],
            "schedule pause": [["s"]], "schedule resume": [["s"]],
            "schedule remove": [["nobody"]],
        ]
    }

    /// The path of every command that does something.
    static func names() -> [String] { names(of: RootCommand.self, path: []) }

    private static func names(of command: any ParsableCommand.Type, path: [String]) -> [String] {
        let own = command is any TenureCommand.Type ? [path.joined(separator: " ")] : []
        return own
            + command.configuration.subcommands.flatMap { sub in
                names(of: sub, path: path + [sub._commandName])
            }
    }
}
