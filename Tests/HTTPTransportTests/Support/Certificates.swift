import Foundation
import TestSupport

/// Certificates for `good.test`, each with a fault but one, made by the `openssl` program.
final class Certificates: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", Self.script]
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        try process.run()
        guard process.waitForEnd() == 0 else { throw CocoaError(.executableLoad) }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

    private static let script = """
        authority() {
            openssl ecparam -name prime256v1 -genkey -noout -out $1.key
            openssl req -x509 -new -key $1.key -subj "/CN=$1" -days 30 -out $1.pem
        }
        sign() {
            openssl ca -batch -notext -config ca.cnf -extfile san -in leaf.csr \
                -cert $2.pem -keyfile $2.key -startdate $3 -enddate $4 -out $1.pem
        }
        cat > ca.cnf <<END
        [ca]
        default_ca = tests
        [tests]
        database = index
        serial = serial
        new_certs_dir = .
        default_md = sha256
        policy = anybody
        unique_subject = no
        [anybody]
        commonName = supplied
        END
        echo subjectAltName=DNS:good.test > san
        : > index
        echo 01 > serial
        authority trusted
        authority foreign
        openssl ecparam -name prime256v1 -genkey -noout -out leaf.key
        openssl req -new -key leaf.key -subj /CN=good.test -out leaf.csr
        sign good trusted 20200101000000Z 20900101000000Z
        sign expired trusted 20200101000000Z 20210101000000Z
        sign future trusted 20800101000000Z 20900101000000Z
        sign unknown foreign 20200101000000Z 20900101000000Z
        openssl ecparam -name prime256v1 -genkey -noout -out middle.key
        openssl req -new -key middle.key -subj /CN=middle -out middle.csr
        echo basicConstraints=critical,CA:true > ca
        openssl ca -batch -notext -config ca.cnf -extfile ca -in middle.csr -cert trusted.pem \
            -keyfile trusted.key -days 30 -out middle.pem
        sign below middle 20200101000000Z 20900101000000Z
        cat below.pem middle.pem > chain.pem
        sign revoked trusted 20200101000000Z 20900101000000Z
        openssl ca -config ca.cnf -cert trusted.pem -keyfile trusted.key -revoke revoked.pem
        openssl ca -config ca.cnf -cert trusted.pem -keyfile trusted.key -gencrl -crldays 30 \
            -out revoked.crl
        openssl req -x509 -new -key leaf.key -subj /CN=good.test \
            -addext subjectAltName=DNS:good.test -days 30 -out selfsigned.pem
        """
}
