import ArgumentParser
import Tenure
import TenureFoundation

struct Top: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Watch queues, workers and rates, live.",
        discussion: """
            On a terminal it fills the screen until q is pressed. Elsewhere it prints a line, or \
            with --json an object on one line, at every look. Rates come from the server's own \
            counters. When a look takes long, looks come less often.

            Example:
              tenure top
              tenure top --interval 5s --count 12 --json
            """)

    @Option(
        help: "How often to look, 200ms to 1h. (default: 2s)", transform: JobArgument.age)
    var interval: Duration = .seconds(2)
    @Option(help: "End after so many looks. (default: never)") var count: Int?
    @Flag(help: "Print JSON, one object a line.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (.milliseconds(200) ... .seconds(3600)).contains(interval) else {
            throw ValidationError(
                "--interval is \(DurationText.format(interval)); give 200ms to 1h")
        }
        if let count, count < 1 { throw ValidationError("--count is \(count); give at least 1") }
    }

    func execute() async throws {
        let settings = try await common.settings()
        try await Database.current(settings) { database in
            if Terminal.outputIsTerminal, !json {
                try await watch(database)
            } else {
                try await tell(database)
            }
        }
    }

    /// How long until the next look: the server has better things to do than to be looked at.
    private func pause(after took: Duration) -> Duration { max(interval, took * 10) }

    // MARK: Lines

    private func tell(_ database: Database) async throws {
        var look = TopLook(database.inspector)
        for number in 1...(count ?? .max) {
            let began = ContinuousClock.now
            let view = try await look.next()
            Terminal.output(json ? try JSONText.line(view) : view.text)
            if number == count { return }
            try await Task.sleep(for: pause(after: began.duration(to: .now)))
        }
    }

    // MARK: The screen

    private func watch(_ database: Database) async throws {
        let screen = Screen()
        defer { screen.leave() }
        var look = TopLook(database.inspector)
        var looks = 0
        while true {
            let began = ContinuousClock.now
            let view = try await look.next()
            looks += 1
            let next = ContinuousClock.now + pause(after: began.duration(to: .now))
            if looks == count { return }
            var size = screen.size
            screen.draw(TopScreen(view, interval).lines(size))
            while ContinuousClock.now < next {
                if screen.isQuitAsked() { return }
                if screen.size != size {
                    size = screen.size
                    screen.draw(TopScreen(view, interval).lines(size))
                }
                try await Task.sleep(for: Screen.slice)
            }
        }
    }
}
