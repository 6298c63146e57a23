/// Every setting, by its name in a configuration file. The environment variable and the flag
/// follow from it: `poolSize`, `TENURE_POOL_SIZE`, `--pool-size`.
package enum Setting: String, CaseIterable {
    case databaseURL
    case schema
    case poolSize
    case pooler
    case folder
    case logLevel
    case logFormat
    case queues
    case concurrency
    case lease
    case grace
    case poll
    case listen
    case listenURL
    case name
    case exitWhenStuck
    case tick
    case breakerDeaths
    case breakerWindow
    case keepEnded
    case keepDiscarded
    case keepActions
    case metricsPort
    case metricsHost
    case webHost
    case webPort
    case webHidePayloads
    case webLogIn
    case webTrustHeader
    case webTrustedProxies
    case webRoleHeader
    case webActingRole
    case webTlsCertificate
    case webTlsKey
    case webBehindTls
    case webWithoutTls
    case webLogOutAfter

    /// The section of the product's own settings in the file, `TENURE_CONTENT_…` outside of it.
    static let productSection = "content"

    /// Those of the console are flags of its own command.
    var flag: String {
        if self == .queues { return "--queue" }
        let words = words.map { $0.lowercased() }
        return "--" + (words[0] == "web" ? words.dropFirst() : words[...]).joined(separator: "-")
    }

    var environment: String {
        "TENURE_" + words.map { $0.uppercased() }.joined(separator: "_")
    }

    /// `databaseURL` → `database`, `URL`.
    private var words: [Substring] {
        var words: [Substring] = []
        var start = rawValue.startIndex
        for index in rawValue.indices.dropFirst() {
            let before = rawValue[rawValue.index(before: index)]
            if rawValue[index].isUppercase, before.isLowercase {
                words.append(rawValue[start..<index])
                start = index
            }
        }
        return words + [rawValue[start...]]
    }
}
