import HTTPTypes
import TenureWeb

/// How the console is served and who is let in, as settings say it.
struct ConsoleOptions: Sendable {
    enum LogIn: String, CaseIterable {
        /// A link that works once, on this machine alone.
        case link
        /// By a role of the database and its password.
        case role
    }
    static let usualPort = 7411

    let host: String
    var port: Int
    let isPortGiven: Bool
    let hidesPayloads: Bool
    let logIn: LogIn
    let trustHeader: HTTPField.Name?
    let trustedProxies: AddressRanges?
    let roleHeader: HTTPField.Name?
    let actingRole: String
    let certificate: String?
    let key: String?
    let isBehindTLS: Bool
    let isWithoutTLS: Bool
    let logOutAfter: Duration
    /// Somebody has chosen how to log in.
    private let isLogInGiven: Bool

    /// - Throws: `Failure` that names the setting, where it came from and the allowed range; and
    ///   for what is no safe way to serve it.
    init(_ sources: SettingSources) throws {
        func yes(_ setting: Setting) throws -> Bool {
            try sources.find(setting).map(SettingValue.yesOrNo) ?? false
        }
        host = try sources.find(.webHost).map(Self.address) ?? "127.0.0.1"
        let port = try sources.find(.webPort)
        self.port = try port.map { try SettingValue.whole($0, 0...65_535) } ?? Self.usualPort
        isPortGiven = port != nil
        hidesPayloads = try yes(.webHidePayloads)
        let logIn = try sources.find(.webLogIn)
        self.logIn = try logIn.map { try SettingValue.choice($0, of: LogIn.self) } ?? .link
        isLogInGiven = logIn != nil
        trustHeader = try sources.find(.webTrustHeader).map(Self.field)
        trustedProxies = try sources.find(.webTrustedProxies).map(Self.ranges)
        roleHeader = try sources.find(.webRoleHeader).map(Self.field)
        actingRole = try sources.find(.webActingRole)?.text ?? "operator"
        certificate = try sources.find(.webTlsCertificate)?.text
        key = try sources.find(.webTlsKey)?.text
        isBehindTLS = try yes(.webBehindTls)
        isWithoutTLS = try yes(.webWithoutTls)
        logOutAfter =
            try sources.find(.webLogOutAfter).map {
                try SettingValue.duration($0, .seconds(60) ... .seconds(30 * 86_400))
            } ?? SessionRule().unused
        try check()
        try checkTLS()
    }

    var isSecure: Bool { certificate != nil || isBehindTLS }

    /// Whether others than this machine reach it.
    private var isOpen: Bool { !HostRule.isLoopback(host) }

    private func check() throws {
        if trustHeader != nil {
            if isLogInGiven {
                throw Failure(
                    "--trust-header and --log-in are two ways to say who asks; give one of them")
            }
            if trustedProxies == nil {
                throw Failure(
                    "--trust-header wants --trusted-proxies, such as 10.0.0.5 or 10.0.0.0/24: "
                        + "from any other address the header could be anybody's")
            }
        } else {
            if roleHeader != nil { throw Failure("--role-header wants --trust-header") }
            if trustedProxies != nil, logIn != .role {
                throw Failure("--trusted-proxies wants --trust-header, or --log-in role")
            }
            if isOpen, logIn == .link {
                throw Failure(
                    "--host is \(host), where others reach it: give --log-in role, or "
                        + "--trust-header with --trusted-proxies; or leave --host out, and take a "
                        + "tunnel (ssh -L \(port):127.0.0.1:\(port) …)")
            }
        }
    }

    private func checkTLS() throws {
        if (certificate == nil) != (key == nil) {
            throw Failure("--tls-certificate and --tls-key belong together; give both or none")
        }
        let ways = [certificate != nil, isBehindTLS, isWithoutTLS].filter { $0 }.count
        if ways > 1 {
            throw Failure(
                "--tls-certificate, --behind-tls and --without-tls exclude each other; give one")
        }
        if isOpen, logIn == .role, ways == 0 {
            throw Failure(
                "with --log-in role passwords would come to \(host) as they are: give "
                    + "--tls-certificate and --tls-key; or --behind-tls, where a proxy has them; "
                    + "or --without-tls, where nobody else is on the way")
        }
    }

    private static func address(_ given: SettingSources.Given) throws -> String {
        guard HostRule.isAddress(given.text) else {
            throw SettingValue.refusal(
                given, "give an address such as 127.0.0.1, 0.0.0.0 or ::")
        }
        return given.text
    }

    private static func field(_ given: SettingSources.Given) throws -> HTTPField.Name {
        guard let name = HTTPField.Name(given.text) else {
            throw SettingValue.refusal(
                given, "give the name of a header, such as X-Remote-User")
        }
        return name
    }

    private static func ranges(_ given: SettingSources.Given) throws -> AddressRanges {
        guard let ranges = AddressRanges(given.text) else {
            throw SettingValue.refusal(
                given, "give addresses or ranges, such as 10.0.0.5,10.1.0.0/16, and not all")
        }
        return ranges
    }
}

extension Settings {
    /// Read where a console is served: nobody else minds what is wrong with them.
    func console() throws -> ConsoleOptions { try ConsoleOptions(product.sources) }
}
