import Foundation
import PackagePlugin

/// Embeds SQL files into a target, so that a binary carries its own: `migrations/*.sql` and
/// `migrations/functions` into `Tenure`, those of `migrations/content` into `Content`, and the
/// benchmark's yardstick, `Tests/Benchmarks/raw/*.sql`, into `TenureBench`.
@main
struct EmbedMigrations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let (path, name) = source(of: target.name)
        let folder = context.package.directoryURL.appending(path: path)
        let files = try sqlFiles(in: folder)
        let order = folder.appending(path: "functions/order.txt")
        let functions = try applied(order)
        let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count + functions.count) files of \(path) into "
                    + target.name,
                executable: try context.tool(named: "MigrationEmbedder").url,
                arguments: [output.path()] + files.map { $0.path() }
                    + ["--functions", order.deletingLastPathComponent().path()]
                    + functions.map { $0.path() },
                inputFiles: files + functions + (functions.isEmpty ? [] : [order]),
                outputFiles: [output])
        ]
    }

    /// The folder, and the name of what is made of it.
    private func source(of target: String) -> (path: String, name: String) {
        switch target {
        case "Tenure": ("migrations", "EmbeddedMigrations")
        case "TenureBench": ("Tests/Benchmarks/raw", "EmbeddedYardstick")
        default: ("migrations/\(target.lowercased())", "EmbeddedMigrations")
        }
    }

    /// The files of functions, in the order that `order.txt` gives: each line is a file, or a
    /// folder with all of its files; what follows `#` is for people.
    private func applied(_ order: URL) throws -> [URL] {
        guard FileManager.default.fileExists(atPath: order.path()) else { return [] }
        let folder = order.deletingLastPathComponent()
        return try String(contentsOf: order, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.prefix { $0 != "#" }.split(separator: " ").first }
            .flatMap { entry in
                let place = folder.appending(path: String(entry))
                return entry.hasSuffix(".sql") ? [place] : try sqlFiles(in: place)
            }
    }

    private func sqlFiles(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "sql" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
