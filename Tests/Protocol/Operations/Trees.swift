extension Operation {
    private static func enter(_ run: Int) -> String {
        enqueue(#""run_id": "00000000-0000-7000-8000-000000000\#(run)""#)
    }

    private static func settle(_ runs: Int...) -> String {
        """
        SELECT string_agg('settled ' || s.id, ', ')
        FROM tenure.settle_runs(ARRAY[\(runs.map(id).joined(separator: ", "))]) AS s
        """
    }

    /// What users do to trees.
    static let entering = [
        Operation("enter 101 (open)", enter(101)),
        Operation("enter 102 (idle)", enter(102)),
        Operation(
            "keep k15 (cancelled tree)", enqueue(#""key": "k15", "mode": "keeping""#)),
        Operation(
            "coalesce k15 (cancelled tree)", enqueue(#""key": "k15", "mode": "coalescing""#)),
    ]

    static let trees = [
        Operation("complete 41 (cancelled tree)", complete(41, at: [41])).waitingForNobody,
        Operation("end 41 (cancelled tree)", end("completed", 41)),
        Operation("settle 101 104", settle(101, 104)),
        Operation("cancel run 101", "SELECT tenure.cancel_run(\(id(101)), 'eve')::text"),
        Operation("retire run 103", "SELECT tenure.retire_run(\(id(103)), 10)::text")
            .waitingForNobody,
        Operation("sweep runs", "SELECT (tenure.sweep_runs(NULL, 10)).next::text"),
        Operation("drop runs", "SELECT tenure.drop_runs('7 days', 10)::text").waitingForNobody,
    ]
}
