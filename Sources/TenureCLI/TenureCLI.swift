package import ArgumentParser
import TenurePostgres
import TenureSystem

/// The command line of the product.
public enum TenureCLI {
    /// Runs the command that the process was started with, and ends the process.
    public static func main() async {
        await main(RootCommand.self)
    }

    /// The same for another program's commands.
    package static func main(_ root: any ParsableCommand.Type) async {
        signal(SIGPIPE, SIG_IGN)
        let code = await run(root, Array(CommandLine.arguments.dropFirst()))
        PostgresConnection.endProcess(code)
    }

    /// - Returns: the exit code.
    static func run(_ root: any ParsableCommand.Type, _ arguments: [String]) async -> Int32 {
        do {
            var command = try root.parseAsRoot(Self.joined(arguments))
            if let command = command as? any TenureCommand {
                try await Interrupt.cancelling { try await command.execute() }
            } else {
                try command.run()
            }
            return Exit.clean
        } catch {
            return report(error, root)
        }
    }

    /// A negative number after a flag is its value, to be refused by its range, and not a flag.
    private static func joined(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        for argument in arguments[..<end] {
            let isNumber = argument.wholeMatch(of: /-[0-9].*/) != nil
            if isNumber, let flag = joined.last, flag.hasPrefix("--"), !flag.contains("=") {
                joined[joined.count - 1] += "=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined + arguments[end...]
    }

    private static func report(
        _ error: any Error, _ root: any ParsableCommand.Type
    ) -> Int32 {
        switch error {
        case let code as ExitCode: return code.rawValue
        case is CancellationError:
            Terminal.error("tenure: cancelled")
            return Exit.cancelled
        default: break
        }
        if root.exitCode(for: error) == .success {
            // Help, a script of completions, or the version: nobody's data.
            Terminal.write(root.fullMessage(for: error) + "\n", to: STDOUT_FILENO)
            return Exit.clean
        }
        let isUsage = root.exitCode(for: error) == .validationFailure
        let text = ErrorLine.text(isUsage ? UsageError(root.fullMessage(for: error)) : error)
        Terminal.error("tenure: \(text)")
        return Exit.failed
    }
}

/// What ArgumentParser says of bad usage, on one line: the error, then where help is.
private struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ message: String) {
        let lines = message.split(separator: "\n").map { $0.drop { $0 == " " } }
        let error = lines.first { $0.hasPrefix("Error: ") }?.dropFirst(7) ?? lines.first ?? ""
        let help = lines.last {
            $0.contains("--help' for more") || $0.contains("--help\" for more")
        }
        let isWhole = error.last.map { "?.!".contains($0) } ?? true
        description = error + (isWhole ? " " : ". ") + (help ?? "See: tenure --help")
    }
}

/// The root: `tenure NOUN VERB`.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenure",
        abstract: "A distributed worker queue on PostgreSQL.",
        discussion: """
            Every setting has a flag, an environment variable and a name in a JSON file, in this \
            order of strength: --pool-size, TENURE_POOL_SIZE, {"poolSize": 10}. The database is \
            also found through DATABASE_URL and the PG* variables. Without any, a private \
            PostgreSQL lives in .tenure/postgres.

            Example:
              tenure up --workers 3
              tenure enqueue content-fetch --payload '{"url":"https://example.org/"}'
              tenure job list

            Exit codes: 0 done, 1 findings, 2 could not do it, 3 cancelled. Completions: tenure \
            --generate-completion-script bash|zsh|fish.
            """,
        version: Database.release,
        subcommands: [
            Check.self, BatchCommand.self, LinksCommand.self, ImpactCommand.self, Fetch.self,
            ItemCommand.self, Explain.self, HostCommand.self,
            SiteCommand.self, NotifyCommand.self,
            Up.self, WebCommand.self, Migrate.self, Roles.self,
            CoordinatorCommand.self,
            WorkerRun.self, Enqueue.self,
            JobCommand.self, QueueCommand.self, LaneCommand.self, KindCommand.self,
            KeyCommand.self, ScheduleCommand.self, ActionCommand.self,
            Stats.self, Top.self, Doctor.self, RestoreCommand.self,
        ])
}
