import FaultSupport
import Foundation

/// What another program prints. Waits as tasks do: a test that blocks a thread of the pool holds
/// up all the others, and a pipe's other end may live on in what they start meanwhile.
func output(of command: String...) async throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/tenure-out-\(UUID())"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw ProcessFailure(what: path, errno: errno) }
    unlink(path)
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    _ = try await ChildProcess(command, output: file).end()
    try handle.seek(toOffset: 0)
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
}
