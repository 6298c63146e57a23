extension Operation {
    private static func enter(_ batch: Int) -> String {
        enqueue(#""batch_id": "00000000-0000-7000-8000-000000000\#(batch)""#)
    }

    private static func settle(_ batches: Int...) -> String {
        """
        SELECT string_agg('settled ' || s.id, ', ')
        FROM tenure.settle_batches(ARRAY[\(batches.map(id).joined(separator: ", "))]) AS s
        """
    }

    /// What users do to batches.
    static let entering = [
        Operation("enter 101 (open)", enter(101)),
        Operation("enter 102 (idle)", enter(102)),
        Operation(
            "keep k15 (cancelled batch)", enqueue(#""key": "k15", "mode": "keeping""#)),
        Operation(
            "coalesce k15 (cancelled batch)", enqueue(#""key": "k15", "mode": "coalescing""#)),
    ]

    static let batches = [
        Operation("complete 41 (cancelled batch)", complete(41, at: [41])).waitingForNobody,
        Operation("end 41 (cancelled batch)", end("completed", 41)),
        Operation("settle 101 104", settle(101, 104)),
        Operation("cancel batch 101", "SELECT tenure.cancel_batch(\(id(101)), 'eve')::text"),
        Operation("retire batch 103", "SELECT tenure.retire_batch(\(id(103)), 10)::text")
            .waitingForNobody,
        Operation("sweep batches", "SELECT (tenure.sweep_batches(NULL, 10)).next::text"),
        Operation("drop batches", "SELECT tenure.drop_batches('7 days', 10)::text")
            .waitingForNobody,
    ]
}
