/// Who works, what belongs together, and what became of it.
extension QueueSchemas {
    static let around = [
        "Session": """
        id: whole
        role: text
        name: text
        version: text
        state: text
        leads: flag
        leaseSeconds: number
        sinceBeatSeconds: number
        startedAt: time
        endedAt: time?
        running: whole
        claimed: whole
        queues: [text]
        kinds: [text]
        versions: [whole]
        stopBy: text?
        """,
        "SessionDetail": "session: Session\nruns: [Run]\n\(APIDescription.Place.next)",
        "Run": """
        id: id
        kind: text
        queue: text
        key: text?
        attempt: whole
        fence: whole
        claimedAt: time?
        cancelling: flag
        begun: flag
        """,
        "Key": "subject: Subject?\njobs: [KeyJob]\n\(APIDescription.Place.next)",
        "KeyJob": """
        job: JobSummary
        runs: whole
        worker: text?
        reason: text?
        supersededBy: id?
        """,
        "Batch": """
        id: id
        state: text
        unfinished: whole
        running: whole
        held: whole
        startedAt: time
        endedAt: time?
        """,
        "BatchProgress": """
        startedAt: time
        cancelledAt?: time
        cancelledBy?: text
        endedAt?: time
        followUpRefused?: text
        unfinished: whole
        running: whole
        held: whole
        completed: whole
        cancelled: whole
        superseded: whole
        discarded: whole
        """,
        "ScheduleLine": "schedule: Schedule\nnext: [time]\nproblem: text?",
        "Schedule": """
        name: text
        everySeconds: number?
        cron: text?
        zone: text?
        kind: text
        queue: text
        nextAt: time
        firedAt: time?
        fired: whole
        paused: flag
        pausedAt: time?
        pausedBy: text?
        owner: text?
        """,
        "Lanes": """
        rows: [Lane]
        \(APIDescription.Place.next)
        queues: [text]  those that have lanes, the first hundred by name
        """,
        "Lane": """
        lane: text
        maxRunning: whole?
        minIntervalSeconds: number?
        burst: whole?
        weight: whole?  so many turns in a row
        order: text?  free, strict
        behind: text?  in strict order: the job that has begun and isn't over
        setBy: text?
        running: whole
        due: whole
        later: whole
        opensAt: time?
        heldUntil: time?
        holdReason: text?
        heldBy: text?
        """,
        "AllStatistics": """
        rows: [Statistics]
        \(APIDescription.Place.next)
        isWhole: flag  nothing was left out; else counts are estimates, and no attempts are counted
        share: number  of what was written in this time so much was read
        """,
        "Statistics": """
        queue: text
        kind: text
        completed: whole
        failedAttempts: whole?  null where only some jobs were read
        discarded: whole
        expired: whole
        cancelled: whole
        superseded: whole
        waitMedianSeconds: number?
        wait95Seconds: number?
        runMedianSeconds: number?
        run95Seconds: number?
        runLongestSeconds: number?
        supersededWorkSeconds: number
        """,
    ]
}
