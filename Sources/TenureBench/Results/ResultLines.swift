import TenureCLI
import TenureFoundation

/// Results as lines of JSON: where they were measured, then a line for each figure.
struct ResultLines: Sendable {
    let machine: BenchMachine?
    let figures: [FigureResult]

    /// - Throws: `Failure` that names the file and the line that can't be read.
    init(file path: String) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw Failure("can't read \(path): check its path and mode")
        }
        try self.init(String(decoding: data, as: UTF8.self), from: path)
    }

    init(_ text: String, from path: String) throws {
        var machine: BenchMachine?
        var figures: [FigureResult] = []
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            do {
                switch try JSONDecoder().decode(ResultLine.self, from: Data(line.utf8)) {
                case .machine(let found) where machine == nil: machine = found
                case .machine: throw Failure("\(path) holds two results; give a file for each")
                case .figure(let found): figures.append(found)
                }
            } catch let error as Failure {
                throw error
            } catch {
                throw Failure(
                    "line \(index + 1) of \(path) is no result of: tenure-bench --json")
            }
        }
        self.machine = machine
        self.figures = figures
    }

    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

private enum ResultLine: Decodable {
    case machine(BenchMachine)
    case figure(FigureResult)

    private enum Keys: String, CodingKey { case figure }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self =
            container.contains(.figure)
            ? .figure(try FigureResult(from: decoder)) : .machine(try BenchMachine(from: decoder))
    }
}
