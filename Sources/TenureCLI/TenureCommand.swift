import ArgumentParser

/// A command: it does its work and throws what went wrong.
///
/// Throw `Failure` for what the user can mend, `ExitCode(Exit.findings)` for findings that have
/// been printed. Print results with `Terminal.output`, and nothing else there.
protocol TenureCommand: ParsableCommand, Sendable {
    /// Whether it ends by itself on SIGINT and SIGTERM; otherwise its task is cancelled.
    var handlesSignals: Bool { get }
    func execute() async throws
}

extension TenureCommand {
    var handlesSignals: Bool { false }
}
