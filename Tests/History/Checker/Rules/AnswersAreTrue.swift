/// Rule 8: what a worker was told of its commit is what happened.
enum AnswersAreTrue: Rule {
    static let number = 8
    static let title = "commits were answered truly"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(
            rule: number, "commits answered “committed”", "“late” answers", "“failed” answers",
            "answers resolved after a lost reply")
        for run in history.allRuns {
            let answers = run.all(.commitAnswered)
            guard !answers.isEmpty else { continue }
            count(answers, &findings)
            let effects = (history.effects[run.id.job] ?? []).filter {
                $0.new?.fence == run.id.fence
            }
            judge(run, answers, effects.map(\.place), &findings)
        }
        return findings
    }

    private static func count(_ answers: [Event], _ findings: inout Findings) {
        for answer in answers {
            switch answer.answer {
            case .committed: findings.judge(0)
            case .late: findings.judge(1)
            default: findings.judge(2)
            }
            if answer.wasUnknown { findings.judge(3) }
        }
    }

    private static func judge(
        _ run: Run, _ answers: [Event], _ effects: [Place], _ findings: inout Findings
    ) {
        if let committed = answers.first(where: { $0.answer == .committed }) {
            findings.require(
                effects.count == 1,
                "\(run.id) was told that it committed, and left \(effects.count) commits",
                [committed.place] + effects)
            return
        }
        // A handler may try again; of a commit without an answer nothing is known.
        guard run.all(.commitStarting).count <= answers.count, let answer = answers.last else {
            return
        }
        findings.require(
            effects.isEmpty,
            "\(run.id) was told “\(answer.answer?.rawValue ?? "")”, and its commit is visible",
            [answer.place] + effects)
    }
}
