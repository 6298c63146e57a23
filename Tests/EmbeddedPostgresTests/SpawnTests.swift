import Foundation
import TenureSystem
import Testing

@testable import EmbeddedPostgres

@Suite struct SpawnTests {
    /// A server's library had not said close-on-exec: its clients' connections stayed open for as
    /// long as a program that was started beside them.
    @Test func aProgramGetsNoDescriptorButItsOwn() throws {
        let open = dup(STDERR_FILENO)
        defer { close(open) }
        #expect(fcntl(open, F_GETFD) == 0, "anybody would inherit it")
        var program = Program("/bin/sleep", ["/bin/sleep", "60"], environment: [])
        program.lastDescriptor = STDERR_FILENO
        let id = try program.start()
        defer {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        let limit = ContinuousClock.now + .seconds(30)
        while try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe")
            .hasSuffix("xctest"), ContinuousClock.now < limit
        {
            usleep(1_000)
        }
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")
        #expect(Set(descriptors).isSubset(of: ["0", "1", "2"]), "\(descriptors)")
    }
}
