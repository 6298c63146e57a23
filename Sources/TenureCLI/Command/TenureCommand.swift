package import ArgumentParser

/// A command: it does its work and throws what went wrong.
///
/// Throw `Failure` for what the user can mend, `ExitCode(Exit.findings)` for findings that have
/// been printed. Print results with `Terminal.output`, and nothing else there.
package protocol TenureCommand: ParsableCommand, Sendable {
    /// Its task is cancelled by SIGINT and SIGTERM, unless it serves (`Database.serve`).
    func execute() async throws
}
