import Foundation
import PackagePlugin

/// Embeds the SQL files of a target into it, so that a binary carries its own schema:
/// `migrations/*.sql` into `Tenure`, `migrations/content/*.sql` into `Content`.
@main
struct EmbedMigrations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let all = context.package.directoryURL.appending(path: "migrations")
        let folder =
            target.name == "Tenure" ? all : all.appending(path: target.name.lowercased())
        let files = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "sql" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedMigrations.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) migrations of \(target.name)",
                executable: try context.tool(named: "MigrationEmbedder").url,
                arguments: [output.path()] + files.map { $0.path() },
                inputFiles: files, outputFiles: [output])
        ]
    }
}
