import Logging
import Tenure
import TenureCoordinator

/// All settings, read in one place and checked before anything is done.
package struct Settings: Sendable {
    /// nil: none is configured, a private PostgreSQL serves. Empty: the `PG*` variables say it.
    package let databaseURL: String?
    let schema: String
    let poolSize: Int
    /// A pooler is in between: no named statements, no LISTEN through it. nil: it is found out.
    package let pooler: Bool?
    /// Where the private PostgreSQL lives.
    let folder: String
    let logLevel: Logger.Level
    let logFormat: LogFormat
    let queues: [QueueName: Int]
    let lease: Duration
    let grace: Duration
    let poll: Duration
    let listen: Bool
    /// Where to listen, past a pooler.
    let listenURL: String?
    let name: String?
    let exitWhenStuck: Duration?
    /// How often a coordinator looks for what is due.
    let tick: Duration
    /// How many processes in a row a kind may bring down before it is paused; 0: any number.
    let breakerDeaths: Int
    let breakerWindow: Duration
    /// How long what has ended is kept, and what was given up.
    let keepEnded: Duration
    let keepDiscarded: Duration
    let keepActions: Duration
    /// Where health and metrics are served; nil: nowhere.
    let metricsPort: Int?
    let metricsHost: String
    let product: ProductSettings

    /// - Throws: `Failure` that names the setting, where it came from and the allowed range.
    init(_ sources: SettingSources, logLevel quiet: Logger.Level) throws {
        func value<Value>(
            _ setting: Setting, _ fallback: Value,
            _ read: (SettingSources.Given) throws -> Value
        ) throws -> Value {
            try sources.find(setting).map(read) ?? fallback
        }
        databaseURL = try sources.find(.databaseURL)?.text
        schema = try value(.schema, "tenure", Self.schemaName)
        poolSize = try value(.poolSize, 10) { try SettingValue.whole($0, 1...1000) }
        pooler = try value(.pooler, nil, SettingValue.yesOrNo)
        folder = try value(.folder, ".tenure/postgres") { $0.text }
        logLevel = try value(.logLevel, quiet) {
            try SettingValue.choice($0, of: Logger.Level.self)
        }
        logFormat = try value(.logFormat, .text) {
            try SettingValue.choice($0, of: LogFormat.self)
        }
        let concurrency = try value(.concurrency, 10) { try SettingValue.whole($0, 1...10_000) }
        queues = try value(.queues, [.default: concurrency]) {
            try QueuesText.parse($0, concurrency)
        }
        lease = try value(.lease, LeaseRule.defaultLength) {
            try SettingValue.duration($0, .seconds(1) ... .seconds(3600))
        }
        grace = try value(.grace, .seconds(30)) {
            try SettingValue.duration($0, .zero ... .seconds(86_400))
        }
        poll = try value(.poll, .seconds(1), Self.pause)
        listen = try value(.listen, true, SettingValue.yesOrNo)
        listenURL = try value(.listenURL, nil) { try SettingValue.conninfo($0) }
        name = try value(.name, nil) { $0.text }
        exitWhenStuck = try value(.exitWhenStuck, nil) {
            try SettingValue.duration($0, .seconds(1) ... .seconds(86_400))
        }
        let (coordinator, breaker) = (CoordinatorConfiguration(), KindBreaker())
        tick = try value(.tick, coordinator.tick, Self.pause)
        breakerDeaths = try value(.breakerDeaths, breaker.deaths, Self.deaths)
        breakerWindow = try value(.breakerWindow, breaker.window) {
            try SettingValue.duration($0, .seconds(1) ... .seconds(7 * 86_400))
        }
        keepEnded = try value(.keepEnded, coordinator.keepEnded, Self.age)
        keepDiscarded = try value(.keepDiscarded, coordinator.keepDiscarded, Self.age)
        keepActions = try value(.keepActions, coordinator.keepActions, Self.age)
        let port = try value(.metricsPort, 0) { try SettingValue.whole($0, 0...65_535) }
        metricsPort = port == 0 ? nil : port
        metricsHost = try value(.metricsHost, "127.0.0.1") { $0.text }
        product = ProductSettings(sources: sources)
    }

    private static func pause(_ given: SettingSources.Given) throws -> Duration {
        try SettingValue.duration(given, .milliseconds(10) ... .seconds(3600))
    }

    private static func deaths(_ given: SettingSources.Given) throws -> Int {
        let deaths = try SettingValue.whole(given, 0...1000)
        if deaths == 1 { throw SettingValue.refusal(given, "give 2 to 1000, or 0 for none") }
        return deaths
    }

    private static func age(_ given: SettingSources.Given) throws -> Duration {
        try SettingValue.duration(given, .seconds(3600) ... .seconds(3650 * 86_400))
    }

    private static func schemaName(_ given: SettingSources.Given) throws -> String {
        let isPlain = given.text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || Character(UnicodeScalar(byte)).isLetter
                || Character(UnicodeScalar(byte)).isNumber
        }
        guard isPlain, (1...63).contains(given.text.utf8.count) else {
            throw SettingValue.refusal(given, "give 1 to 63 letters, digits and underscores")
        }
        return given.text
    }
}

/// `mail:5,default:10`; without a number a queue has the setting `concurrency`.
enum QueuesText {
    static func parse(
        _ given: SettingSources.Given, _ concurrency: Int
    ) throws -> [QueueName: Int] {
        var queues: [QueueName: Int] = [:]
        for part in given.text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: ":", omittingEmptySubsequences: false)
            let slots = pair.count == 2 ? Int(pair[1]) : concurrency
            guard pair.count <= 2, let name = pair.first, (1...128).contains(name.utf8.count),
                let slots, (1...10_000).contains(slots)
            else {
                throw SettingValue.refusal(
                    given, "give names, each with 1 to 10000 slots, such as default:10,mail:5")
            }
            queues[QueueName(String(name))] = slots
        }
        return queues
    }
}
