/// What the queue's pages are made of.
enum QueueSchemas {
    static let all = work.merging(others) { one, _ in one }.merging(around) { one, _ in one }

    private static let work = [
        "JobLinks": "count: whole\njobs: [JobLink]",
        "JobLink":
            "job: id\nkey: AwaitedKey?\nkind: text?\nstate: text?\ngoesOn: flag\nendedAt: time?",
        "AwaitedKey": "kind: text\nkey: text\ngeneration: whole",
        "Problem": "error: text", "Done": "result: text",
        "Overview": """
        queues: [Queue]  the first 100 by name
        hasMoreQueues: flag
        sessions: [Session]
        pausedKinds: [PausedKind]
        rates: [Rate]
        findings: [OverviewFinding]
        """,
        "PausedKind": "kind: text\npausedAt: time\npausedBy: text?\nreason: text?",
        "Rate": """
        at: time
        enqueued: number  a second
        ended: number
        failedAttempts: number
        discarded: number
        """,
        "OverviewFinding": "text: text\npath: [text]  of the page that shows it",
        "JobSummary": jobSummary, "Job": job,
        "JobProgress": """
        done: number
        total: number?
        rate: number?
        note: text?
        fence: whole
        reportedAt: time
        """,
        "AttemptError": """
        attempt: whole
        failedAt: time
        fence: whole
        session: whole?
        worker: text?
        code: text
        message: text
        """,
        "Subject": "issued: whole\nfloor: whole\ncommitted: whole",
        "Delay": "rule: text\ndetail: text\nuntil: time?\njobs: [JobInTheWay]",
        "JobInTheWay": "id: id\nkind: text\nkey: text?",
        "Action": """
        id: id
        at: time  when it began
        lastAt: time  when it was done
        verb: text
        thing: text  job, queue, lane, site …
        about: any  its name or ids, or the filter; what was set
        jobs: whole?  that it has changed
        by: text
        role: text  as whom the database knows them
        source: text  of cli, library, console, sql
        reason: text?
        """,
        "EnqueueForm": "kinds: [text]\nqueues: [text]",
        "Matching": "verb: text\ncounts: [JobCount]\n"
            + "counted: whole  of how many: of all of a queue, the newest alone\n"
            + "total: whole  or \(BulkPage.most + 1) where there are more",
        "JobCount": "state: text\nkind: text\nqueue: text\ncount: whole",
        "Queue": """
        name: text
        paused: flag
        pausedAt: time?
        pausedBy: text?
        maxRunning: whole?
        minIntervalSeconds: number?
        burst: whole?
        opensAt: time?  the next start by the queue's rate
        ageAfterSeconds: number?  what is due for so long goes to the front
        capacity: whole?
        due: whole  could run now
        running: whole
        claimed: whole
        later: whole
        waiting: whole
        held: whole
        workers: whole
        oldestDue: time?  of those that were counted
        letters: Letters?  where letters of discarded jobs go
        pendingAtLeast: flag  counting ended before all of due and later were counted
        parkedAtLeast: flag  the same of waiting and held
        """,
        "QueueDetail": "queue: Queue\ndelays: [Delay]\nkinds: [QueueKind]",
        "QueueKind": counts,
        "Kind": """
        name: text
        paused: flag
        pausedAt: time?
        pausedBy: text?
        reason: text?
        due: whole
        running: whole
        claimed: whole
        later: whole
        waiting: whole
        held: whole
        workers: whole
        deaths: whole  of processes that ran one
        letters: Letters?  where letters of discarded jobs go
        pendingAtLeast: flag  counting ended before all of due and later were counted
        parkedAtLeast: flag  the same of waiting and held
        """,
        "Letters": "kind: text\nqueue: text?  that of the discarded job, where it is null",
    ]

    private static let counts = """
        kind: text
        due: whole
        running: whole
        claimed: whole
        later: whole
        waiting: whole
        held: whole
        pendingAtLeast: flag
        parkedAtLeast: flag
        """
    private static let jobSummary = """
        id: id
        kind: text
        state: text
        cancelling: flag
        onlyClaimed: flag
        queue: text
        key: text?
        generation: whole?
        priority: whole
        attempt: whole
        maxAttempts: whole
        runAt: time
        createdAt: time
        claimedAt: time?
        finishedAt: time?
        notAfter: time?
        retriedAs: id?
        """
    private static let job = """
        id: id
        kind: text
        state: text
        cancelling: flag
        reason: text?
        queue: text
        lane: text?
        key: text?
        generation: whole?
        subject: Subject?
        priority: whole
        attempt: whole
        maxAttempts: whole
        runs: whole
        session: whole?
        worker: text?
        fence: whole?
        leaseSeconds: number?
        sinceBeatSeconds: number?
        createdAt: time
        runAt: time
        notAfter: time?
        claimedAt: time?
        cancelledAt: time?
        finishedAt: time?
        supersededBy: id?
        retryOf: id?
        retriedAs: id?
        letter: id?  the job that tells that this one was discarded
        tags: [text]
        batch: id?
        parent: id?
        trace: text?
        payload: any  without what its type calls secret; null where it is hidden
        payloadVersion: whole
        result: any
        progress: JobProgress?
        errors: [AttemptError]
        delays: [Delay]
        steps: [any]  what is behind its handler
        log: [LogLine]  the last that its runs have logged; none where payloads are hidden
        waits: [any]  the signals and times that it waits for
        signals: [any]  those that it has not received yet
        after: JobLinks  the jobs that it waits for, or waited for
        waiters: JobLinks  the jobs that wait for it
        """

    private static let others = [
        "LogLine": """
        fence: whole
        at: time?
        level: text?
        message: text
        """
    ]
}
