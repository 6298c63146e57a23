import TenureFoundation
import TenureSystem
import Testing

/// What each system does in its own way does the same on all.
@Suite struct SystemTests {
    @Test func `sockets aren't inherited, and a closed end raises no signal`() throws {
        let (one, other) = try #require(System.socketPair())
        let stream = System.streamSocket(AF_INET)
        let datagrams = System.datagramSocket(AF_UNIX)
        defer { for socket in [one, stream, datagrams] { close(socket) } }
        for socket in [one, other, stream, datagrams] {
            #expect(fcntl(socket, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(System.send(one, "hello", 5) == 5)
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(other, &bytes, 8) == 5)
        close(other)
        #expect(System.send(one, "hello", 5) == -1)
        #expect(errno == EPIPE)
    }

    @Test func `a thread takes no signals`() async {
        let isBlocked = await withCheckedContinuation { continuation in
            let hasStarted = System.startThread("a name that is far too long") {
                var mask = sigset_t()
                pthread_sigmask(SIG_SETMASK, nil, &mask)
                continuation.resume(returning: sigismember(&mask, SIGTERM) == 1)
            }
            if !hasStarted { continuation.resume(returning: false) }
        }
        #expect(isBlocked)
    }

    @Test func `the clock goes on, and the machine has a name, cores and memory`() {
        var time = timespec()
        #expect(clock_gettime(System.clock, &time) == 0)
        #expect(time.tv_sec > 0)
        #expect(System.hostName?.isEmpty == false)
        #expect(System.coreCount > 0)
        #expect(System.memoryBytes > 1_000_000)
        #expect(System.load >= 0)
        #expect(System.release.split(separator: " ").count >= 2)
        #expect(System.processorName?.isEmpty != true)
    }

    @Test func `bytes are UTF-8, or they aren't`() {
        for text in ["", "plain", "ü€🙂"] { #expect(System.isUTF8(Array(text.utf8))) }
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] {
            #expect(!System.isUTF8(bytes), "\(bytes)")
        }
    }

    @Test func `a name that isn't there is told from one that nobody could look up`() {
        #expect(System.saysUnknown(EAI_NONAME))
        #expect(!System.saysUnknown(EAI_AGAIN))
        #expect(!System.saysUnknown(EAI_FAIL))
    }

    @Test func `a terminal has two ends`() throws {
        let ends = try #require(System.openTerminal())
        defer { for end in [ends.program, ends.user] { close(end) } }
        #expect(isatty(ends.program) == 1)
        #expect(fcntl(ends.user, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(ends.program, F_GETFD) & FD_CLOEXEC != 0)
    }
}
