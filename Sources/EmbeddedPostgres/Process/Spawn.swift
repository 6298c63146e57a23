package import Glibc

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Starts a program apart, with nothing inherited but `output` as 1 and 2, `channel` as 3.
func spawn(
    _ arguments: [String], environment: [String], output: Int32, channel: Int32
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    posix_spawn_file_actions_adddup2(&actions, channel, 3)
    return try spawnApart(
        arguments[0], arguments, environment: environment, upTo: 3, &actions)
}

/// Starts a program with clean signals, in a process group of its own: a Ctrl-C in the terminal is
/// its parent's to handle. It gets no descriptor above `last`.
/// - Throws: `EmbeddedPostgresError`, naming the program.
package func spawnApart(
    _ program: String, _ arguments: [String], environment: [String], upTo last: Int32,
    _ actions: inout posix_spawn_file_actions_t
) throws -> pid_t {
    for descriptor in inheritable() where descriptor > last {
        posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var pid = pid_t()
    let result = withCStrings(arguments) { argv in
        withCStrings(environment) { envp in
            posix_spawn(&pid, program, &actions, &attributes, argv, envp)
        }
    }
    guard result == 0 else {
        throw EmbeddedPostgresError(system: "starting", program, errno: result)
    }
    return pid
}

/// The descriptors that a new program would get: libraries don't always say close-on-exec.
private func inheritable() -> [Int32] {
    // Reason for `try?`: without /proc, what was marked well is closed and nothing else.
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return entries.compactMap { Int32($0) }.filter { descriptor in
        let flags = fcntl(descriptor, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC == 0
    }
}

/// A connected pair of descriptors that no other program inherits.
func makeSocketPair() throws -> (Int32, Int32) {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
        throw EmbeddedPostgresError(system: "socketpair", "for a child process", errno: errno)
    }
    return (pair[0], pair[1])
}

/// A null-terminated array of C strings, for the length of a call.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
