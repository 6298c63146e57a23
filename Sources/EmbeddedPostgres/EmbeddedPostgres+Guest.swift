import TenureFoundation

extension EmbeddedPostgres {
    /// A connection string for the server that another owner runs in a folder; nil while it isn't
    /// ready. A guest has no say in how long the server runs: it ends with its owner.
    public static func conninfo(ofRunningIn folder: String) -> String? {
        guard
            // Reason for `try?`: no such file, or none that we may read, is no server for us.
            let text = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 7, lines[7].hasPrefix("ready"), let port = Int(lines[3]) else {
            return nil
        }
        return conninfo(sockets: String(lines[4]), port: port, database: ClusterCreation.database)
    }

    /// Whether a cluster was made in the folder.
    public static func hasCluster(in folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/data/PG_VERSION")
    }

    static func conninfo(sockets: String, port: Int, database: String) -> String {
        "host='\(sockets.escaped)' port=\(port) user=\(ClusterCreation.user) dbname=\(database)"
    }
}

extension String {
    /// As between the quotes of a libpq connection string.
    fileprivate var escaped: String {
        String(flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] })
    }
}
