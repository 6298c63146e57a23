import ArgumentParser

/// How the console is served, and who is let in.
struct ConsoleFlags: ParsableArguments {
    @Option(help: "The address to serve on. (default: 127.0.0.1, this machine alone)")
    var host: String?

    @Option(help: "The port; 0 for any that is free. (default: 7411)") var port: String?

    @Flag(help: "Show no payload and no result of a job.") var hidePayloads = false

    @Option(help: "link: a link that works once; role: by a role of the database. (default: link)")
    var logIn: String?

    @Option(help: "The header in which a proxy says who it is, such as X-Remote-User.")
    var trustHeader: String?

    @Option(help: "Whose word counts for that: addresses and ranges, such as 10.0.0.0/24.")
    var trustedProxies: String?

    @Option(help: "The header with what they have; who lacks --acting-role only looks.")
    var roleHeader: String?

    @Option(help: "What in --role-header lets somebody act. (default: operator)")
    var actingRole: String?

    @Option(help: "A PEM file with the certificate to serve by TLS, and those that signed it.")
    var tlsCertificate: String?

    @Option(help: "A PEM file with its key.") var tlsKey: String?

    @Flag(help: "Browsers come by TLS, which a proxy before this ends.") var behindTls = false

    @Flag(help: "Take passwords without TLS, where nobody else is on the way.")
    var withoutTls = false

    @Option(help: "How long a session lives that nobody uses, 1m to 30d. (default: 12h)")
    var logOutAfter: String?

    var values: [Setting: String] {
        var values: [Setting: String] = [:]
        values[.webHost] = host
        values[.webPort] = port
        if hidePayloads { values[.webHidePayloads] = "true" }
        values[.webLogIn] = logIn
        values[.webTrustHeader] = trustHeader
        values[.webTrustedProxies] = trustedProxies
        values[.webRoleHeader] = roleHeader
        values[.webActingRole] = actingRole
        values[.webTlsCertificate] = tlsCertificate
        values[.webTlsKey] = tlsKey
        if behindTls { values[.webBehindTls] = "true" }
        if withoutTls { values[.webWithoutTls] = "true" }
        values[.webLogOutAfter] = logOutAfter
        return values
    }
}
