import TenureFoundation
import Web

extension HTTPDate {
    static var now: HTTPDate {
        HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970))
    }
}
