/// One of the numbered rules of FORMAT.md.
protocol Rule: SendableMetatype {
    static var number: Int { get }
    static var title: String { get }
    /// Whether it says nothing of a recording in which cancellations aren't delivered.
    static var needsCancellation: Bool { get }
    static func judge(_ history: RecordedHistory) -> Findings
}

extension Rule {
    static var needsCancellation: Bool { false }
}

enum Rules {
    static let all: [any Rule.Type] = [
        OneCommitPerJob.self, GenerationsGoForward.self, FencesRise.self, StopInTime.self,
        SilenceBeforeReclaim.self, NoEffectAfterTheStop.self, NoJobLostOrDoubled.self,
        AnswersAreTrue.self, CancellationIsNoFailure.self, BurstsRunOnce.self,
        LimitsAreExact.self, EverythingDrained.self, FaultsAreFelt.self, TablesAddUp.self,
        WaitsAreKept.self,
    ]
}
