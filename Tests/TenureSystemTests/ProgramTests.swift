import TenureFoundation
import TenureSystem
import Testing

/// Programs that are started, and what is told of processes.
@Suite struct ProgramTests {
    /// What a shell says; it has what `change` gives it.
    private func output(
        of script: String, _ change: (inout Program) -> Void = { _ in }
    ) throws -> String {
        let (ours, theirs) = try #require(System.socketPair())
        defer { close(ours) }
        var program = Program("/bin/sh", ["sh", "-c", script], environment: ["ANSWER=42"])
        program.descriptors = [(theirs, 1)]
        change(&program)
        let id: pid_t
        do {
            defer { close(theirs) }
            id = try program.start()
        }
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = read(ours, &bytes, bytes.count), count > 0 { all += bytes[..<count] }
        #expect(waitpid(id, nil, 0) == id)
        return String(decoding: all, as: UTF8.self)
    }

    @Test func `a program has its arguments, its environment and its descriptors`() throws {
        #expect(try output(of: "echo $0 $ANSWER") == "sh 42\n")
        #expect(try output(of: "cat; echo end") { $0.readsNothing = true } == "end\n")
        #expect(try output(of: "echo 3 >&3") { $0.descriptors += [(1, 3)] } == "3\n")
    }

    @Test func `what stands apart gets no descriptor above its last`() throws {
        let open = fcntl(STDERR_FILENO, F_DUPFD, 40)
        defer { close(open) }
        #expect(fcntl(open, F_GETFD) == 0, "anybody would inherit it")
        let script = "if [ -e /dev/fd/\(open) ]; then echo open; else echo closed; fi"
        #expect(try output(of: script) == "open\n")
        let apart = try output(of: script) { $0.lastDescriptor = STDERR_FILENO }
        #expect(apart == "closed\n")
    }

    @Test func `one that can't be started says why`() {
        let program = Program("/nowhere/at/all", ["all"], environment: [])
        let error = #expect(throws: Program.CannotStart.self) { try program.start() }
        #expect(error?.errno == ENOENT)
    }

    @Test func `a process is found by its folder, and told what it uses`() throws {
        var template = Array("/tmp/tenure-system-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = template.withUnsafeBufferPointer { realpath($0.baseAddress!, nil) }
        let path = String(cString: try #require(folder))
        defer {
            free(folder)
            rmdir(path)
        }
        #expect(System.processes(in: path) == [])
        let script = "cd '\(path)' && exec sleep 60"
        let id = try Program("/bin/sh", ["sh", "-c", script], environment: ["PATH=/usr/bin:/bin"])
            .start()
        let limit = ContinuousClock.now + .seconds(30)
        while System.processes(in: path) != [id], ContinuousClock.now < limit { usleep(1_000) }
        #expect(System.processes(in: path) == [id])
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
        #expect(System.processes(in: path) == [])
        #expect(System.residentBytes(id) == 0)
        #expect(System.cpuSeconds(id) == 0)
    }

    @Test func `this process knows itself`() throws {
        #expect(access(try #require(System.ownPath), X_OK) == 0)
        #expect(access(System.ownProgram, X_OK) == 0)
        #expect(System.residentBytes(getpid()) > 1_000_000)
        #expect(System.cpuSeconds(getpid()) > 0)
        let count = try #require(System.raiseDescriptors(most: 512))
        #expect(count <= 512)
    }
}
