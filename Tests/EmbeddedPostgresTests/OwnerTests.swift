import TenureSystem
import Testing

@testable import EmbeddedPostgres

/// What becomes of a server whose owner is gone. The owners are processes of their own.
///
/// Serialized, because an exit test blocks a thread of the pool until its process has ended.
@Suite(.serialized) struct OwnerTests {
    @Test func aServerEndsWithItsKilledOwner() async throws {
        let configuration = EmbeddedPostgresConfiguration.temporary()
        let folder = configuration.folder
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            var configuration = EmbeddedPostgresConfiguration(folder: folder, profile: .tests)
            configuration.isTemporary = true
            _ = try await EmbeddedPostgres.start(configuration)
            kill(getpid(), SIGKILL)
        }
        #expect(await eventually { ServerProcesses(data: "\(folder)/data").all().isEmpty })
        #expect(await eventually { access(folder, F_OK) == -1 })
    }

    @Test func anOwnerKilledWhileTheClusterIsMadeLeavesNothingThatHinders() async throws {
        var configuration = EmbeddedPostgresConfiguration.temporary()
        configuration.isTemporary = false
        let folder = configuration.folder
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let configuration = EmbeddedPostgresConfiguration(folder: folder, profile: .tests)
            let start = Task { try await EmbeddedPostgres.start(configuration) }
            while !isMakingCluster(in: folder) { usleep(1_000) }
            kill(getpid(), SIGKILL)
            _ = try await start.value
        }
        configuration.isTemporary = true
        let postgres = try await EmbeddedPostgres.start(configuration)
        #expect(try await postgres.psql("SELECT 1") == "1")
        try await postgres.stop()
    }

    @Test func theNextOwnerTakesOverFromAnOrphanAndKeepsTheData() async throws {
        var configuration = EmbeddedPostgresConfiguration.temporary()
        configuration.isTemporary = false
        let folder = configuration.folder
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let configuration = EmbeddedPostgresConfiguration(folder: folder, profile: .tests)
            let postgres = try await EmbeddedPostgres.start(configuration)
            try await postgres.psql("CREATE TABLE kept AS SELECT 42 AS answer")
            // Frozen, it can't hear its supervisor: the server lives on for a while.
            for pid in ServerProcesses(data: "\(folder)/data").all() { kill(pid, SIGSTOP) }
            kill(getpid(), SIGKILL)
        }
        let orphans = ServerProcesses(data: "\(folder)/data").all()
        #expect(!orphans.isEmpty)
        for pid in orphans { kill(pid, SIGCONT) }
        configuration.isTemporary = true
        let postgres = try await EmbeddedPostgres.start(configuration)
        #expect(try await postgres.psql("SELECT answer FROM kept") == "42")
        try await postgres.stop()
    }

    @Test func aServerEndsWhenItsSupervisorIsKilled() async throws {
        let postgres = try await EmbeddedPostgres.start(.temporary())
        let processes = ServerProcesses(data: postgres.dataPath)
        let postmaster = try #require(processes.all().first)
        kill(parent(of: postmaster), SIGKILL)
        #expect(await eventually { processes.all().isEmpty })
        try await postgres.restart()
        #expect(try await postgres.psql("SELECT 1") == "1")
        try await postgres.stop()
    }

    @Test func aSecondOwnerOfAFolderIsRefused() async throws {
        let configuration = EmbeddedPostgresConfiguration.temporary()
        let postgres = try await EmbeddedPostgres.start(configuration)
        let error = await #expect(throws: EmbeddedPostgresError.self) {
            try await EmbeddedPostgres.start(configuration)
        }
        #expect(error?.code == .folderInUse)
        #expect(error?.description.contains("process \(getpid())") == true)
        #expect(try await postgres.psql("SELECT 1") == "1")
        try await postgres.stop()
    }

    @Test func theServerEndsWithTheLastReference() async throws {
        var postgres: EmbeddedPostgres? = try await .start(.temporary())
        let processes = ServerProcesses(data: try #require(postgres).dataPath)
        #expect(!processes.all().isEmpty)
        postgres = nil
        #expect(await eventually { processes.all().isEmpty })
    }

    @Test func aCancelledStartThrowsAndLeavesNothingRunning() async throws {
        let configuration = EmbeddedPostgresConfiguration.temporary()
        let start = Task { try await EmbeddedPostgres.start(configuration) }
        #expect(await eventually { isMakingCluster(in: configuration.folder) })
        start.cancel()
        await #expect(throws: CancellationError.self) { try await start.value }
        #expect(access(configuration.folder, F_OK) == -1)
    }

    private func parent(of pid: pid_t) -> pid_t {
        guard let file = fopen("/proc/\(pid)/stat", "r") else { return -1 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        fgets(&line, 512, file)
        let text = String(decoding: line.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        return pid_t(text.split(separator: ")").last?.split(separator: " ")[1] ?? "") ?? -1
    }
}

private func isMakingCluster(in folder: String) -> Bool {
    !ClusterFolder(path: folder, user: nil).unfinished.isEmpty
}

/// Looks until it is so, for at most a minute.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<6_000 {
        if condition() { return true }
        await #expect(throws: Never.self) { try await Task.sleep(for: .milliseconds(10)) }
    }
    return condition()
}
