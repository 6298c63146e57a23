import Tenure

/// What there is of the queue.
enum QueueDescription {
    private static let filters = [
        "state: text  of scheduled, available, running, retryable, waiting, held; completed, "
            + "cancelled, superseded, discarded; may be given several times",
        "due: text  now or later: whether the time to run has come; pending ones, without a state",
        "kind: text", "queue: text", "key: text", "batch: id", "error: text  a part of an error",
        "tag: text  may be given several times, for all of them",
        "where: text  field=value, which the payload has; may be given several times",
        "older-than: text  such as 10m, 2h or 1d", "finished: whole  1: also those that have ended",
    ]

    private static let counting = [
        "count: text  all, to count jobs to their end, however many there are"
    ]

    static let all = APIDescription(places: places, schemas: QueueSchemas.all)

    private static let places: [APIDescription.Place] =
        lists + (bulk + forms + parts).map(\.askingWhy)

    private static let lists: [APIDescription.Place] = [
        .list(
            "/actions", "Who did what, the latest first.", of: "Action",
            [
                "verb: text  such as cancel or pause", "by: text  who did it",
                "since: text  such as 12h or 7d", "job: id  that it was done to",
            ]),
        .look("/", "What wants a look, rates, and the queues.", "Overview"),
        .list("/jobs", "Jobs that match, the newest first.", of: "JobSummary", filters),
        .look("/jobs/{id}", "A job, and why it waits.", "Job"),
        .look("/jobs/find", "The same, for a form that asks for its id.", "Job", ["id: id"]),
        .list("/queues", "All queues, by name.", of: "Queue", counting),
        .look("/queues/{name}", "One queue, and why its jobs wait.", "QueueDetail", counting),
        .list("/kinds", "All kinds, by name.", of: "Kind", counting),
        .list("/workers", "Workers and coordinators, those that live first.", of: "Session"),
        .look(
            "/workers/{session}", "One of them, and what it runs.", "SessionDetail",
            APIDescription.Place.part),
        .look(
            "/keys", "The generations of a key.", "Key",
            ["kind: text", "key: text"] + APIDescription.Place.part),
        .list("/batches", "Batches, the newest first.", of: "Batch"),
        .look("/batches/{id}", "How far one is.", "BatchProgress"),
        .list("/schedules", "Schedules by name, with their next times.", of: "ScheduleLine"),
        .look(
            "/lanes", "The lanes of a queue, by name, and which queues have some.", "Lanes",
            ["queue: text", "prefix: text  of their names"] + APIDescription.Place.part),
        .look(
            "/statistics", "What became of jobs lately, by kind and queue.", "AllStatistics",
            [
                "since: text  such as 15m or 7d; 1h if left out",
                "\(Counting.name): text  all: reads all that ended, however many there are",
            ] + APIDescription.Place.part),
    ]

    /// Each verb of jobs: of one, of chosen ones, and of all that match.
    private static let bulk = JobVerb.allCases.map(\.rawValue).flatMap { verb in
        [
            APIDescription.Place.look(
                "/jobs/\(verb)", "How many match, before all of them are done.", "Matching",
                filters),
            .verb(
                "/jobs/\(verb)",
                "Does it to those that are named, or to all that match the query, which is that "
                    + "of the GET.",
                [
                    "job?: [id]  each that is chosen, 100 at most",
                    "all?: whole  how many match: are they others by now, nothing is done",
                ]),
            .verb("/jobs/{id}/\(verb)", "Does it to one."),
        ]
    }

    private static let runTime = [
        "after?: text  a pause, such as 10m", "at?: text  a time, such as 2030-01-31T08:00:00Z",
        "priority?: whole  0 to 9, lower runs first",
        "tags?: text  with commas between",
    ]

    private static let forms: [APIDescription.Place] = [
        .look("/jobs/enqueue", "What there is to be named in the form.", "EnqueueForm"),
        .verb(
            "/jobs/enqueue", "Enqueues a job.",
            [
                "kind: text", "queue?: text", "payload?: text  JSON", "key?: text",
                "mode?: text  of superseding, coalescing, keeping, debounced",
                "id?: id  of the job to be: sent again, it makes no second one",
                "force?: whole  1: also a kind that nobody knows",
            ] + runTime),
        .look("/jobs/{id}/edit", "The job that the form is for.", "JobSummary"),
        .verb(
            "/jobs/{id}/edit", "Changes a job that has not started: all that is given, or nothing.",
            [
                "queue?: text", "payload?: text  JSON", "payload-version?: whole",
                "max-attempts?: whole",
            ] + runTime),
    ]

    private static let parts: [APIDescription.Place] = [
        .verb("/queues/{name}/pause", "Starts no more of its jobs."),
        .verb("/queues/{name}/resume", "Starts its jobs again."),
        .verb("/kinds/{name}/pause", "Starts no more of its jobs."),
        .verb("/kinds/{name}/resume", "Starts its jobs again."),
        .verb("/workers/{session}/stop", "Asks it to end."),
        .verb("/batches/{id}/cancel", "Cancels what is left of it."),
        .verb("/schedules/{name}/trigger", "Enqueues its job now, beside its ticks."),
        .verb("/schedules/{name}/pause", "Enqueues nothing more."),
        .verb("/schedules/{name}/resume", "Goes on."),
        .verb("/lanes/{queue}/{lane}/hold", "Starts nothing in it for an hour."),
        .verb("/lanes/{queue}/{lane}/release", "Goes on."),
    ]
}
