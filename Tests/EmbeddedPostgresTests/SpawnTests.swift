import Foundation
import Glibc
import Testing

@testable import EmbeddedPostgres

@Suite struct SpawnTests {
    /// A server's library had not said close-on-exec: its clients' connections stayed open for as
    /// long as a program that was started beside them.
    @Test func aProgramGetsNoDescriptorButItsOwn() throws {
        let open = dup(STDERR_FILENO)
        defer { close(open) }
        #expect(fcntl(open, F_GETFD) == 0, "anybody would inherit it")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let id = try spawnApart(
            "/bin/sleep", ["/bin/sleep", "60"], environment: [], upTo: STDERR_FILENO, &actions)
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
