import ArgumentParser
import TenureFoundation

/// `--report sarif=links.sarif`: a report in a file, beside the one that is printed.
struct ReportFile: Sendable {
    let format: ReportFormat
    let path: String

    /// - Throws: `ValidationError`, before anything is checked.
    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let format = ReportFormat(rawValue: String(parts[0])) else {
            throw ValidationError(
                "--report is \"\(text)\"; give FORMAT=FILE, such as sarif=links.sarif: the formats "
                    + "are \(ReportFormat.names)")
        }
        (self.format, path) = (format, String(parts[1]))
    }

    static func all(_ texts: [String]) throws -> [ReportFile] {
        let files = try texts.map { try ReportFile($0) }
        for (index, file) in files.enumerated()
        where files[..<index].contains(where: { $0.isSameFile(as: file.path) }) {
            throw ValidationError("--report names \(file.path) twice; give each a file of its own")
        }
        return files
    }

    /// Whatever leads there.
    func isSameFile(as other: String) -> Bool {
        func resolved(_ path: String) -> String {
            URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
        }
        return resolved(path) == resolved(other)
    }

    /// That it can be written as far as can be told now: a check may take an hour.
    func requirePlace() throws {
        let manager = FileManager.default
        var isFolder = false
        if manager.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
            throw Failure("--report \(path) is a folder; give a file in it")
        }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let place = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        guard manager.fileExists(atPath: place, isDirectory: &isFolder), isFolder else {
            throw Failure("--report \(path): there is no folder \(place); make it first")
        }
        guard manager.isWritableFile(atPath: manager.fileExists(atPath: path) ? path : place) else {
            throw Failure("--report \(path) can't be written there; give a place that can")
        }
    }

    /// Writes all that can be written.
    /// - Throws: what kept the first one from it.
    static func write(_ files: [ReportFile], _ text: (ReportFormat) throws -> String) throws {
        var failure: (any Error)?
        for file in files {
            do { try file.write(text(file.format)) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Whole or not at all. What is no plain file, such as a pipe, is written in place.
    func write(_ text: String) throws {
        let kind =
            // Reason for `try?`: what isn't there yet has no kind.
            try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        let isPlain = kind == nil || kind == .typeRegular
        do {
            try Data((Terminal.document(text) + "\n").utf8).write(
                to: URL(filePath: path), options: isPlain ? .atomic : [])
        } catch {
            throw Failure("--report \(path) can't be written: \(error)")
        }
    }
}
