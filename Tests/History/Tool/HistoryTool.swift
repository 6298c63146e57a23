import Foundation
import History

/// `tenure-history FOLDER [--json]`: judges a recording.
@main
enum HistoryTool {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let folders = arguments.filter { $0 != "--json" }
        guard let folder = folders.first, folders.count == 1, !folder.hasPrefix("-") else {
            complain("usage: tenure-history FOLDER [--json]")
            exit(2)
        }
        do throws(UnusableRecording) {
            let verdict = Verdict(try await Recording(folder: folder))
            let report = Report(verdict)
            print(arguments.contains("--json") ? report.json : report.text)
            exit(verdict.violations.isEmpty ? 0 : 1)
        } catch {
            complain("✘ unusable recording: \(error)")
            exit(2)
        }
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
