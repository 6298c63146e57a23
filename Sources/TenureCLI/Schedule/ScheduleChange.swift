import ArgumentParser

/// What became of a schedule.
struct ScheduleChange: Encodable {
    enum Result: String, Encodable { case paused, resumed, removed, wasNotPaused }

    let schedule: String
    let result: Result

    init(_ schedule: String, _ result: Result) {
        self.schedule = schedule
        self.result = result
    }

    func print(json: Bool) throws {
        let isUnchanged = result == .wasNotPaused
        if json {
            Terminal.output(try JSONText.encode(self))
        } else {
            Terminal.line(
                isUnchanged ? "\(schedule) was not paused" : "\(result.rawValue) \(schedule)")
        }
        if isUnchanged { throw ExitCode(Exit.findings) }
    }
}

extension Failure {
    static func noSchedule(_ name: String) -> Failure {
        Failure("there is no schedule \"\(name)\"; look with: tenure schedule list")
    }
}
