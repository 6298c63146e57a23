import ArgumentParser
import Content
import Tenure
import TenureFoundation
import TenureSystem

struct ItemSave: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Write the bytes of an item to a file.",
        discussion: """
            What was fetched with --mode file, or else the body of the document. The file appears \
            under its name when all of it is there and its hash is right; until then it is called \
            NAME.part. Without -o it goes to standard output, unless that is a terminal.

            Example:
              tenure fetch https://example.org/a.iso --mode file --wait
              tenure item save https://example.org/a.iso -o a.iso
            """)

    @OptionGroup var common: CommonFlags
    @Argument(help: "The item's URL, or its id.") var item: String
    @Option(
        name: [.short, .customLong("output")], help: "The file to write; - for standard output.")
    var output: String?

    func execute() async throws {
        let path = output == "-" ? nil : output
        if path == nil, output == nil, Terminal.outputIsTerminal {
            throw Failure("a file's bytes are not for a terminal; give -o FILE, or -o - for both")
        }
        let settings = try await common.settings()
        try await Database.current(settings, MigrationSet.all) { database in
            let items = Items(pool: database.pool)
            guard let file = try await items.file(ItemName(item)) else {
                throw Failure("nothing is kept of \(item); fetch it with: tenure fetch --mode file")
            }
            if let path {
                try await OutputFile.write(items.bytes(of: file), to: path)
            } else {
                try await OutputFile.pass(items.bytes(of: file), to: STDOUT_FILENO)
            }
        }
    }
}

/// Writes bytes where somebody wants them: whole under the file's name, or not at all.
enum OutputFile {
    static func write(_ bytes: ItemBytes, to path: String) async throws {
        let part = path + ".part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("write", part) }
        do {
            defer { close(descriptor) }
            try await pass(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw failure("write", part) }
        } catch {
            unlink(part)
            throw error
        }
        guard rename(part, path) == 0 else { throw failure("rename \(part) to", path) }
    }

    static func pass(_ bytes: ItemBytes, to descriptor: Int32) async throws {
        for try await piece in bytes {
            var offset = 0
            while offset < piece.count {
                let count = piece[offset...].withUnsafeBytes {
                    TenureSystem.write(descriptor, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure("write", "the output") }
                offset += count
            }
        }
    }

    private static func failure(_ verb: String, _ path: String) -> Failure {
        Failure("can't \(verb) \(path): \(String(cString: strerror(errno)))")
    }
}
