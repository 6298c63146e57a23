import TenureWeb

/// What programs find of sites, checks, links and items.
enum ContentDescription {
    static let all = APIDescription(
        places: [
            .list("/sites", "The sites that are watched, by URL.", of: "Site"),
            .look("/sites/{id}", "One of them.", "Site"),
            .verb("/sites/{id}/check", "Begins a check."),
            .verb("/sites/{id}/pause", "Begins none by itself."),
            .verb("/sites/{id}/resume", "Goes on."),
            .look(
                "/checks/{id}", "How far a check is; once it has ended, its report.", "Check",
                APIDescription.Place.part),
            .list(
                "/links", "What is broken, by all that is remembered.", of: "BrokenLink",
                ["since: text  broke within the last, such as 24h"]),
            .list(
                "/links/ignore", "What is ignored, and why.", of: "IgnoreRule",
                ["target: text  that the form is filled in with", "code: text  as well"]),
            .verb("/links/ignore", "Says of findings that they don't count."),
            .verb("/links/unignore", "They count again."),
            .list(
                "/items", "Items, those first that were fetched last.", of: "Item",
                [
                    "words: text  of title or text, where that search is on",
                    "prefix: text  of their URL", "doubted: whole  1: only those",
                    "outcome: text  of stored, unchanged, gone, failed",
                ]),
            .look(
                "/items/{id}", "One of them, its versions and fetches.", "ItemDetail",
                APIDescription.Place.part),
            .look(
                "/items/{id}/versions/{number}",
                "What is different in a version's text, by lines.", "ItemComparison",
                ["from: whole  the version to compare it with; the one before it if left out"]),
            .look("/items/{id}/edit", "Its fields, to be edited.", "Item"),
            .verb("/items/{id}/edit", "Sets fields as a person, or lets fetches fill them."),
            .verb("/items/{id}/take", "Fetches it again, and takes what looked wrong.", seen),
            .verb("/items/{id}/refuse", "Says that what looked wrong isn't wanted.", seen),
            .look("/explain", "What happened to a URL.", "Explained", ["url: text"]),
            .look(
                "/impact", "What depends on items.", "[Impact]",
                ["urls: text  URLs or ids, one a line"]),
            .verb("/impact/delete", "Deletes items, unless somebody depends on them."),
            .verb("/impact/delete-all", "Deletes items, whatever breaks."),
            .list("/hosts", "Who is asked, or waits to be, by name.", of: "Host"),
            .look("/doctor", "What is wrong with this installation.", "[DoctorFinding]"),
        ], schemas: schemas.merging(itemSchemas) { one, _ in one })

    private static let seen = ["fetch: text  the candidate that was seen; if left out, whichever"]
    private static let place = """
        page: text
        line: whole
        column: whole
        kind: text
        isHard: flag
        raw: text
        text: text?
        """

    private static let schemas = [
        "Site": """
        id: id
        url: text
        state: text
        problem: text?
        everySeconds: number?
        cron: text?
        zone: text?
        nextAt: time?
        spreadSeconds: number
        channels: [text]
        tellsChanges: flag
        lastCheck: id?
        begunAt: time?
        finishedAt: time?
        skippedAt: time?
        skippedWhy: text?
        knownAt: time?
        broken: whole
        lastNotice: any
        lastNoticeAt: time?
        check: any  as it is checked
        rules: any  of what counts
        refetch: any  as its pages are fetched again
        addedAt: time
        addedBy: text?
        """,
        "Check": """
        visited: whole
        total: whole
        pages: whole
        references: whole
        unfinishedJobs: whole
        report: CheckReport?  with a part of its findings
        findingCount: whole?  of all parts
        \(APIDescription.Place.next)
        """,
        "CheckReport": """
        check: id
        site: text
        folder?: text
        inputs?: [any]
        pages: whole
        references: whole
        targets: {whole}
        findings: [CheckFinding]
        moved: [any]
        ignored: [any]
        endedRules: [any]
        isComplete: flag
        wasCancelled: flag
        discardedJobs: whole
        skippedForContact: whole
        unreadPages: whole
        excluded: whole
        accepted: whole
        endless: whole
        beyondLimit: whole
        unaskedMail: whole
        startProblem?: text
        """,
        "CheckFinding": """
        target: text
        file?: text
        code: text
        status?: whole
        detail?: text
        fragment?: text
        isConfirmed: flag
        isHard: flag
        firstBrokenAt?: time
        lastOkAt?: time
        places: [any]
        """,
        "BrokenLink": """
        target: text
        code: text
        status: whole?
        fragment: text?
        brokenSince: time?
        lastOkAt: time?
        isHard: flag
        places: [LinkPlace]
        """,
        "IgnoreRule": """
        id: whole?
        target: text
        code: text?
        page: text?
        reason: text
        madeBy: text
        madeAt: time
        until: text?
        hasEnded: flag
        """,
        "LinkPlace": place, "ImpactPlace": place + "\nvia: text?\nseenAt: time",
        "Impact": """
        id: id
        url: text?
        verdict: text
        placeCount: whole
        hardCount: whole
        places: [ImpactPlace]
        """,
        "Host": """
        host: text
        own: flag
        maxRunning: whole?
        minIntervalSeconds: number?
        setBy: text?
        running: whole
        due: whole
        later: whole
        opensAt: time?
        heldUntil: time?
        holdReason: text?
        heldBy: text?
        """,
        "DoctorFinding": "check: text\nlevel: text\nmessage: text\nadvice: text?",
    ]

    private static let itemSchemas = [
        "Item": """
        id: id
        url: text
        outcome: text?
        code: text?
        status: whole?
        finalURL: text?
        movedTo: text?
        missingSince: time?
        title: text?
        mediaType: text?
        charset: text?
        bytes: whole?
        hash: text?
        hasBody: flag
        words: whole?
        references: whole?
        anchors: whole?
        version: whole?
        suspicion: text?
        candidate: any
        freshUntil: time?
        fetchedAt: time?
        attemptedAt: time?
        fields: [any]
        lastFetch: any
        """,
        "ItemDetail": """
        item: Item
        versions: [ItemVersion]
        fetches: [ItemFetch]
        \(APIDescription.Place.next)
        """,
        "ItemVersion": """
        number: whole
        madeAt: time
        madeBy: text?
        fetch: any
        changed: [text]
        words: whole
        hash: text?
        body: any
        title: text?
        """,
        "ItemComparison": """
        version: ComparedVersion
        other: ComparedVersion?  null for the first
        lines: [ComparedLine]?  null where they are too large
        tooLarge: text?  why they are not compared
        """,
        "ComparedVersion": "number: whole\nmadeAt: time\nmadeBy: text?\ntitle: text?",
        "ComparedLine": """
        change: text  of same, removed, added, skipped
        text: text?  null for lines that are skipped, for they are the same
        lines: whole  how many it stands for
        """,
        "ItemFetch": """
        id: any
        job: id?
        run: any
        askedAt: time
        endedAt: time?
        mode: text
        outcome: text
        code: text?
        failure: text?
        status: whole?
        detail: text?
        finalURL: text?
        isCharged: flag
        dnsSeconds: number?
        connectSeconds: number?
        tlsSeconds: number?
        firstByteSeconds: number?
        totalSeconds: number?
        wireBytes: whole?
        bytes: whole?
        """,
        "Explained": "story: Explanation?",
        "Explanation": """
        url: text
        known: flag
        item: Item?
        target: Target?
        events: [TargetEvent]
        jobs: [ExplainedJob]
        host: any
        hostHoldUntil: time?
        robots: any
        """,
        "Target": """
        state: text
        code: text?
        status: whole?
        failures: whole
        checkedAt: time?
        firstBrokenAt: time?
        lastOkAt: time?
        redirectsTo: text?
        """,
        "TargetEvent": "at: time\nbefore: text?\nafter: text?\ncode: text?",
        "ExplainedJob": """
        id: id
        kind: text
        state: text
        queue: text
        lane: text?
        attempt: whole
        maxAttempts: whole
        reason: text?
        finishedAt: time?
        delays: [Delay]
        nextTry: time?
        """,
    ]
}
