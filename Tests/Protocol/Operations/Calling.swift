/// What callers do in transactions of their own, at whatever isolation they like, and what may
/// become of their keys meanwhile. Not the full square: one caller of each way to decide, on each
/// state that a key's jobs can be in, against each statement that changes one.
extension Operation {
    static let isolations = ["REPEATABLE READ", "SERIALIZABLE"]

    static func callers(at level: String) -> [Operation] {
        named(callers).map { $0.keepingSnapshot(level) }
    }

    static let meanwhile = named(endings)

    private static let callers = [
        "supersede k1 no overlap", "supersede k2 alone", "supersede k4 alone, no overlap",
        "coalesce k1", "coalesce k2", "coalesce k3", "coalesce k10 (idle)", "keep k1",
        "keep k13 (expired)", "debounce k3", "bulk of five", "commit 1 (k1)",
        "commit 2 (k2), follow-ups k1 k3 k2", "hold 1 (k1), write",
        "hold 2 (k2), follow-ups k1 k3 k2", "chunk 2 1 6", "chunk 1 6 2, follow-ups k1 k3 k2",
        "enqueue after 83 (runs)", "enqueue k18 after 88 (k17)", "enqueue after 80 (awaited)",
        "supersede k16 (waits)", "enqueue after key k19 (awaited)", "enqueue after key k20",
        "commit 81 (k19, awaited)",
        "cancel 3 (waits)", "retry 4", "retry 10 (retryable)", "edit 4 (pending)",
    ]

    private static let endings = [
        "discard 1", "fail 1 2 6", "hand back 1 2 13", "hold back 1", "end 5 2 1 6, impatient",
        "commit 2 (k2), follow-ups k1 k3 k2", "claim for 1", "declare 4 dead", "reclaim",
        "cancel 1 (runs)", "cancel 4 (pending)", "edit 4 (pending)", "retry 10 (retryable)",
        "release held",
        "follow clock", "expire", "drop idle", "sweep 3 (stranded)", "fire schedules",
        "supersede k1 alone", "coalesce k1", "keep k10 (idle)", "supersede new key alone",
        "enqueue into empty", "complete 83 by place", "end 80 (awaited)", "cancel 88 (awaited)",
        "discard 80 (awaited)", "settle 80 85", "enqueue after 83 (runs)",
        "discard 81 (k19, awaited)", "cancel 92 (k20)", "enqueue after key k20",
        "supersede k19 (awaited)",
    ]

    private static func named(_ names: [String]) -> [Operation] {
        all.filter { names.contains($0.name) }
    }
}
