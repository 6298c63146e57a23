import Tenure

struct MakeThumbnail: Job {
    static let kind: JobKind = "make-thumbnail"
    static let timeout: Duration? = .seconds(60)
    let picture: Int
}
