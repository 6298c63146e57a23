import TenureLibc

extension System {
    /// What the processor calls itself; nil where it doesn't, as those of Arm's on Linux.
    package static var processorName: String? {
        text(room: 256) { tenure_processor_name($0, $1) == 0 }
    }

    package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The machine's memory, in bytes; 0 where it can't be told.
    package static var memoryBytes: Double { tenure_memory_bytes() }

    /// The system's name and release: `Linux 6.12.1`.
    package static var release: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        let name = withUnsafeBytes(of: &names.sysname) { $0.textUntilZero }
        return "\(name) \(withUnsafeBytes(of: &names.release) { $0.textUntilZero })"
    }

    /// Runnable tasks, over the last minute.
    package static var load: Double {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : 0
    }

    /// The machine's name in its network; nil where it has none.
    package static var hostName: String? {
        text(room: 256) { start, room in
            start[room - 1] = 0
            return gethostname(start, room - 1) == 0
        }
    }

    /// A terminal that nobody sits at: a program has one end, its user the other. Nil, and `errno`,
    /// where there is none.
    package static func openTerminal() -> (program: Int32, user: Int32)? {
        var (program, user): (Int32, Int32) = (-1, -1)
        return tenure_open_terminal(&program, &user) == 0 ? (program, user) : nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var textUntilZero: String {
        String(decoding: prefix { $0 != 0 }, as: UTF8.self)
    }
}
