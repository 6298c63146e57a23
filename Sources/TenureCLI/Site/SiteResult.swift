import ArgumentParser
import Content
import Tenure

/// What became of a site.
struct SiteResult: Encodable {
    enum Result: String, Encodable { case paused, resumed, removed, wasNotPaused }

    let site: String
    let result: Result

    init(_ site: String, _ result: Result) {
        self.site = URLRedaction.text(site)
        self.result = result
    }

    func print(json: Bool) throws {
        let isUnchanged = result == .wasNotPaused
        if json {
            Terminal.output(try JSONText.encode(self))
        } else {
            Terminal.line(isUnchanged ? "\(site) was not paused" : "\(result.rawValue) \(site)")
        }
        if isUnchanged { throw ExitCode(Exit.findings) }
    }
}
