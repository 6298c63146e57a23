import ArgumentParser

/// The flags of whatever makes requests: settings of the product's own section, `content`.
struct WebFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The proxy that every request goes through. One with a password: give it as "
                + "TENURE_CONTENT_PROXY, which other users can't see.",
            valueName: "http://host:port"))
    var proxy: String?

    @Option(help: "Who looks up the names of hosts behind a proxy: here or proxy. (default: here)")
    var proxyNaming: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file of revocation lists to hold certificates against.", valueName: "path"))
    var crlFile: String?

    /// By their names in the section.
    var values: [String: String] {
        var values: [String: String] = [:]
        values["proxy"] = proxy
        values["proxyNaming"] = proxyNaming
        values["crlFile"] = crlFile
        return values
    }

    /// For a child process: other users can't see it there.
    var environment: [String: String] {
        var environment: [String: String] = [:]
        environment["TENURE_CONTENT_PROXY"] = proxy
        environment["TENURE_CONTENT_PROXY_NAMING"] = proxyNaming
        environment["TENURE_CONTENT_CRL_FILE"] = crlFile
        return environment
    }
}
