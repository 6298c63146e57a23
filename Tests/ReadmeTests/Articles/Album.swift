import Tenure
import TenureFoundation
import TenureWorker

struct Album: Job {
    static let kind: JobKind = "album"
    static let options = JobOptions<Self>()
    let pictures: [Int]
}

struct AlbumPage: Job {
    static let kind: JobKind = "album-page"
    static let options = JobOptions<Self>()
    let picture: Int
}

struct AlbumDone: Job {
    static let kind: JobKind = "album-done"
    static let options = JobOptions<Self>()
}

func startAlbum(_ pictures: [Int], _ client: TenureClient) async throws -> UUID {
    let batch = NewBatch(
        [try NewJob(Album(pictures: pictures))], whenEnded: try NewJob(AlbumDone()))
    try await client.start(batch)
    return batch.id
}

func printAlbum(_ pictures: [Int], _ client: TenureClient) async throws {
    let pages = try pictures.map { try NewJob(AlbumPage(picture: $0)) }
    let done = try NewJob(
        AlbumDone(), options: EnqueueOptions(after: pages.map { .completed($0.id) }))
    try await client.enqueue(pages + [done])
}

func registerAlbum(_ jobs: inout JobRegistry) {
    jobs.handle(Album.self) { album, context in
        try await context.commit { transaction in
            let pages = try album.pictures.map { try NewJob(AlbumPage(picture: $0)) }
            try context.client.enqueue(pages, in: transaction)
        }
    }
    jobs.handle(AlbumPage.self) { _, _ in .completed }
    jobs.handle(AlbumDone.self) { _, _ in .completed }
}
