import FoundationEssentials
import Tenure
import TenureWorker

struct Album: Job {
    static let kind: JobKind = "album"
    let pictures: [Int]
}

struct AlbumPage: Job {
    static let kind: JobKind = "album-page"
    let picture: Int
}

struct AlbumDone: Job {
    static let kind: JobKind = "album-done"
}

func startAlbum(_ pictures: [Int], _ client: TenureClient) async throws -> UUID {
    let batch = NewBatch(
        [try NewJob(Album(pictures: pictures))], whenEnded: try NewJob(AlbumDone()))
    try await client.start(batch)
    return batch.id
}

func registerAlbum(_ jobs: inout JobRegistry) {
    jobs.handle(Album.self) { album, context in
        try await context.commit { transaction in
            var options = EnqueueOptions()
            options.batch = context.batchID
            let pages = try album.pictures.map { picture in
                try NewJob(AlbumPage(picture: picture), options: options)
            }
            try context.client.enqueue(pages, in: transaction)
        }
    }
    jobs.handle(AlbumPage.self) { _, _ in .completed }
    jobs.handle(AlbumDone.self) { _, _ in .completed }
}
