import Content
import Tenure
import TenureFoundation

/// A rule by which findings don't count, for programs.
struct IgnoreOutput: Encodable {
    @OrNull var id: Int64?
    let target: String
    @OrNull var code: String?
    @OrNull var page: String?
    let reason: String
    let madeBy: String
    let madeAt: Date
    @OrNull var until: String?
    let hasEnded: Bool

    init(_ rule: IgnoreRule) {
        id = rule.id
        target = rule.target
        code = rule.code
        page = rule.page
        reason = rule.reason
        madeBy = rule.madeBy
        madeAt = rule.madeAt
        until = rule.until
        hasEnded = rule.hasEnded
    }
}
