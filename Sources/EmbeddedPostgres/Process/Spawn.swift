import TenureSystem

extension Program {
    /// Starts it apart, with nothing inherited but `output` as 1 and 2, `channel` as 3.
    /// - Throws: `EmbeddedPostgresError`, naming the program.
    static func start(
        _ arguments: [String], environment: [String], output: Int32, channel: Int32
    ) throws -> pid_t {
        var program = Program(arguments[0], arguments, environment: environment)
        program.readsNothing = true
        program.descriptors = [(output, 1), (1, 2), (channel, 3)]
        program.blocksNoSignals = true
        program.lastDescriptor = 3
        do {
            return try program.start()
        } catch {
            throw EmbeddedPostgresError(system: "starting", program.path, errno: error.errno)
        }
    }
}

/// A connected pair of descriptors that no other program inherits.
func makeSocketPair() throws -> (Int32, Int32) {
    guard let pair = System.socketPair() else {
        throw EmbeddedPostgresError(system: "socketpair", "for a child process", errno: errno)
    }
    return pair
}
