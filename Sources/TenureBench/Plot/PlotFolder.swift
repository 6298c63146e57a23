import TenureCLI
import TenureFoundation

/// A folder of drawings, a file for each question.
struct PlotFolder {
    let path: String

    /// Writes them, over those of the same name.
    /// - Returns: the folder's own name, which is how a page beside it names it.
    func write(_ sweeps: [SweepResult]) throws -> String {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            for sweep in sweeps {
                try Plot(sweep).svg.write(
                    toFile: "\(path)/\(sweep.name).svg", atomically: true, encoding: .utf8)
            }
        } catch {
            throw Failure("can't write plots to \(path): check its path and mode")
        }
        return path.split(separator: "/").last.map(String.init) ?? path
    }
}
