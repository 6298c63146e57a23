import Foundation
import PackagePlugin

/// Embeds SQL files into a target, so that a binary carries its own: `migrations/*.sql` into
/// `Tenure`, `migrations/content/*.sql` into `Content`, and the benchmark's yardstick,
/// `Tests/Benchmarks/raw/*.sql`, into `TenureBench`.
@main
struct EmbedMigrations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let (path, name) = source(of: target.name)
        let folder = context.package.directoryURL.appending(path: path)
        let files = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "sql" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of \(path) into \(target.name)",
                executable: try context.tool(named: "MigrationEmbedder").url,
                arguments: [output.path()] + files.map { $0.path() },
                inputFiles: files, outputFiles: [output])
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
}
