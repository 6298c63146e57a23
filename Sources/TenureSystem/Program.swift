package import TenureLibc

/// A program that is to be started as a process of its own.
package struct Program: Sendable {
    /// Where it lies; the path isn't searched.
    package let path: String
    /// With the name that it sees as its own.
    package let arguments: [String]
    /// `NAME=value`, each.
    package let environment: [String]
    /// Descriptors of ours, and which numbers they have there: as if by `dup2`, in this order.
    package var descriptors: [(ours: Int32, its: Int32)] = []
    /// Its standard input is empty.
    package var readsNothing = false
    /// It blocks no signals, whatever the thread that starts it does.
    package var blocksNoSignals = false
    /// It gets no descriptor above this one, a process group of its own, and all signals as they
    /// are by default: a Ctrl-C in the terminal is its parent's to handle. Nil leaves all of that
    /// as it is here.
    package var lastDescriptor: Int32?

    package init(_ path: String, _ arguments: [String], environment: [String]) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
    }

    package struct CannotStart: Error {
        package let errno: Int32
    }

    package func start() throws(CannotStart) -> pid_t {
        var id = pid_t()
        let failure = withCStrings(arguments) { arguments in
            withCStrings(environment) { environment in
                start(arguments, environment, &id)
            }
        }
        if failure != 0 { throw CannotStart(errno: failure) }
        return id
    }

    private func start(
        _ arguments: [UnsafeMutablePointer<CChar>?], _ environment: [UnsafeMutablePointer<CChar>?],
        _ id: inout pid_t
    ) -> Int32 {
        path.withCString { path in
            arguments.withUnsafeBufferPointer { arguments in
                environment.withUnsafeBufferPointer { environment in
                    descriptors.map(\.ours).withUnsafeBufferPointer { ours in
                        descriptors.map(\.its).withUnsafeBufferPointer { its in
                            var program = tenure_program(
                                path: path, arguments: arguments.baseAddress,
                                environment: environment.baseAddress, ours: ours.baseAddress,
                                theirs: its.baseAddress, count: Int32(clamping: ours.count),
                                reads_nothing: readsNothing ? 1 : 0,
                                blocks_nothing: blocksNoSignals ? 1 : 0,
                                is_apart: lastDescriptor == nil ? 0 : 1,
                                last: lastDescriptor ?? 0)
                            return tenure_start_program(&program, &id)
                        }
                    }
                }
            }
        }
    }
}

/// A null-terminated array of C strings, for the length of a call.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
