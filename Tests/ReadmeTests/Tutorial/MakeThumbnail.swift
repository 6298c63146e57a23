import Tenure

struct MakeThumbnail: Job {
    static let kind: JobKind = "make-thumbnail"
    static let options = JobOptions<Self>(timeout: .seconds(60))
    let picture: Int
}
