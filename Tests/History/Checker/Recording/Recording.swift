package import Foundation

/// A recording as it was written: every file read, every line understood.
package struct Recording: Sendable {
    let settings: Settings
    let audit: Audit
    let final: FinalTables
    let processes: [ProcessLog]
    let sink: [SinkLine]
    let faults: [Fault]
    let auditFile: LineFile
    let finalFile: LineFile

    /// Reads a folder.
    package init(folder: String) async throws(UnusableRecording) {
        let folderURL = URL(filePath: folder, directoryHint: .isDirectory)
        var files: [String: Data] = [:]
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder)
            where name.hasSuffix(".json") || name.hasSuffix(".jsonl") {
                files[name] = try Data(
                    contentsOf: folderURL.appending(path: name), options: .alwaysMapped)
            }
        } catch {
            throw UnusableRecording(
                folder, "the folder can't be read: \(error.localizedDescription)")
        }
        try await self.init(files: files)
    }

    /// Takes files by their names.
    package init(files: [String: Data]) async throws(UnusableRecording) {
        func file(_ name: String) throws(UnusableRecording) -> LineFile {
            guard let data = files[name] else { throw UnusableRecording(name, "is missing") }
            return LineFile(name: name, data: data, mayEndInHalfALine: name == SinkLine.file)
        }
        settings = try Settings(file("settings.json"))
        faults = try Fault.read(file(Fault.file))
        sink = try SinkLine.read(file(SinkLine.file))
        finalFile = try file(FinalTables.file)
        final = try FinalTables(finalFile)
        auditFile = try file(Audit.file)
        audit = try await AuditReader.read(auditFile)
        processes = try await Self.processes(files)
    }

    private static func processes(
        _ files: [String: Data]
    ) async throws(UnusableRecording) -> [ProcessLog] {
        let logs = files.filter { $0.key.hasPrefix(ProcessLog.prefix) }.sorted { $0.key < $1.key }
        guard !logs.isEmpty else { throw UnusableRecording("process-*.jsonl", "is missing") }
        let read = await concurrently(logs) { log in
            Result { () throws(UnusableRecording) in
                try ProcessLog.read(
                    LineFile(name: log.key, data: log.value, mayEndInHalfALine: true))
            }
        }
        var processes: [ProcessLog] = []
        for result in read {
            if let log = try result.get() { processes.append(log) }
        }
        return processes
    }
}
