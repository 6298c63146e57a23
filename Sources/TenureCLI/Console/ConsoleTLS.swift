import NIOSSL

/// A certificate and its key, looked at before anybody comes.
enum ConsoleTLS {
    /// - Throws: `Failure` for what can't be read, or doesn't fit together.
    static func configuration(certificate: String, key: String) throws -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            _ = try NIOSSLContext(configuration: configuration)
            return configuration
        } catch {
            throw Failure(
                "--tls-certificate \(certificate) and --tls-key \(key) can't be used: give PEM "
                    + "files that can be read, and the key of that certificate, without a password")
        }
    }
}
