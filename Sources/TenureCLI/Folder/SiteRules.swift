import Content
import TenureFoundation

/// What a served folder does beside its files, from `_site.json` in it:
/// `{"redirects": {"/a": ["/b", 302]}, "delays": {"/slow.html": 3.0}, "statuses": {"/gone": 410}}`
struct SiteRules: Sendable, Decodable {
    struct Redirect: Sendable, Decodable {
        let location: String
        let status: Int

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            location = try values.decode(String.self)
            status = values.isAtEnd ? 302 : try values.decode(Int.self)
        }
    }

    /// In seconds.
    static let longestDelay = 3600.0

    var redirects: [String: Redirect] = [:]
    /// Seconds until the answer begins.
    var delays: [String: Double] = [:]
    var statuses: [String: Int] = [:]

    private enum CodingKeys: String, CodingKey { case redirects, delays, statuses }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        redirects = try values.decodeIfPresent([String: Redirect].self, forKey: .redirects) ?? [:]
        delays = try values.decodeIfPresent([String: Double].self, forKey: .delays) ?? [:]
        statuses = try values.decodeIfPresent([String: Int].self, forKey: .statuses) ?? [:]
    }

    /// No rules where there is no file.
    /// - Throws: `ContentError` with `.badFolder` when the file isn't what it should be.
    init(file: String) throws {
        guard FileManager.default.fileExists(atPath: file) else {
            self.init()
            return
        }
        do {
            let data = try Data(contentsOf: URL(filePath: file))
            self = try JSONDecoder().decode(SiteRules.self, from: data)
        } catch {
            throw ContentError(.badFolder, "\(file) can't be read: \(error)")
        }
        try requireRanges(file)
    }

    /// Numbers that no answer could have would end the process, not the answer.
    private func requireRanges(_ file: String) throws {
        let statuses = statuses.map { ($0.key, $0.value) } + redirects.map { ($0, $1.status) }
        if let (path, status) = statuses.first(where: { !(200...599).contains($0.1) }) {
            throw ContentError(.badFolder, "\(file): \(path) has the status \(status); 200 to 599")
        }
        let most = Self.longestDelay
        if let (path, delay) = delays.first(where: { !(0...most).contains($0.value) }) {
            throw ContentError(
                .badFolder, "\(file): \(path) has a delay of \(delay); 0 to \(most)")
        }
    }
}
