import Tenure
import TenureFoundation

func oneOfEachMode(_ client: TenureClient) async throws {
    let job = MakeThumbnail(picture: 7)

    // Only the newest counts: older jobs of the key are out of date from this commit on.
    try await client.enqueue(job, .superseding("picture-7"))

    // What runs may commit. Exactly one job follows, with the newest payload.
    try await client.enqueue(job, .coalescing("picture-7"))

    // One is enough: an unfinished job of the key is returned, and nothing is added.
    try await client.enqueue(job, .keeping("picture-7"))

    // One an hour is enough: a completed one counts as well, and this one says what it is about.
    try await client.enqueue(job, .keeping(JobKey.of("picture", 7), within: .seconds(3600)))

    // Once it is quiet for five seconds, and after a minute at the latest.
    try await client.enqueue(
        job, .debounced("picture-7", interval: .seconds(5), maxWait: .seconds(60)))
}

func later(_ client: TenureClient, _ morning: Date) async throws {
    var options = EnqueueOptions()
    options.runTime = .after(.seconds(3600))  // by the database's clock; `.at(morning)` by yours
    options.priority = .urgent
    options.lane = Lane("example.org", maxRunning: 2)
    // or so many in a time: Lane("api", maxRunning: 50, rate: Rate(100, per: .seconds(1)))
    try await client.enqueue(MakeThumbnail(picture: 7), options: options)
}

func many(_ client: TenureClient, _ pictures: [Int]) async throws {
    // In one transaction: all or none.
    try await client.enqueue(pictures.map { try NewJob(MakeThumbnail(picture: $0)) })
}

func given(_ client: TenureClient, _ upload: UUID) async throws {
    let job = try NewJob(MakeThumbnail(picture: 7), id: JobID(upload))
    try await client.enqueue([job])
}
