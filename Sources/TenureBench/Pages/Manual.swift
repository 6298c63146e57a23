import TenureCLI
import TenureFoundation

/// The pages that fetching is measured with: PostgreSQL's manual, as Debian ships it.
struct Manual: Sendable {
    let folder: String
    /// The names of its pages, sorted.
    let names: [String]

    /// nil where it isn't installed.
    init?() {
        let files = FileManager.default
        let root = "/usr/share/doc"
        // Reason for `try?`: what can't be listed isn't there, and the caller says so.
        let packages = ((try? files.contentsOfDirectory(atPath: root)) ?? [])
            .filter { $0.hasPrefix("postgresql-doc-") }.sorted().reversed()
        for package in packages {
            let folder = "\(root)/\(package)/html"
            // Reason for `try?`: as above.
            let names = ((try? files.contentsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasSuffix(".html") }.sorted()
            if names.contains("index.html") {
                self.folder = folder
                self.names = names
                return
            }
        }
        return nil
    }

    func pages() throws -> [[UInt8]] {
        try names.map { name in
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw Failure("\(folder)/\(name) can't be read; give this user the right to")
            }
            return Array(data)
        }
    }
}
