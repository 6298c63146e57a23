import Tenure
import TenureFoundation

/// The root of a check: starts its first visits.
struct CheckBegin: DependencyJob {
    var scope = DependencyScope.begin
    let check: UUID

    init(_ check: UUID) { self.check = check }
}

/// Nothing of a check is left to do.
struct CheckEnd: DependencyJob {
    var scope = DependencyScope.ended
    let check: UUID

    init(_ check: UUID) { self.check = check }
}

/// Some pages of a check, and what they refer to.
struct PageVisits: DependencyJob {
    var scope = DependencyScope.pages
    let check: UUID
    let urls: [String]
    /// Of all of them.
    let depth: Int
    let hops: Int

    init(_ urls: [String], of check: UUID, depth: Int, hops: Int) {
        (self.check, self.urls, self.depth, self.hops) = (check, urls, depth, hops)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        depth = try container.decodeNumber(in: 0...Place.deepest, forKey: .depth) ?? 0
        hops = try container.decodeNumber(in: 0...Redirects.mostInCheck, forKey: .hops) ?? 0
        check = try container.decode(UUID.self, forKey: .check)
        urls = try container.decode([String].self, forKey: .urls)
    }
}

/// What links of a check say is inside of one of its targets.
struct PlaceVisit: DependencyJob {
    var scope = DependencyScope.places
    let check: UUID
    let url: String
    let hops: Int

    init(_ url: String, of check: UUID, hops: Int) {
        (self.check, self.url, self.hops) = (check, url, hops)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hops = try container.decodeNumber(in: 0...Redirects.mostInCheck, forKey: .hops) ?? 0
        check = try container.decode(UUID.self, forKey: .check)
        url = try container.decode(String.self, forKey: .url)
    }
}

/// One foreign target of a check.
struct ForeignVisit: DependencyJob {
    var scope = DependencyScope.foreign
    let check: UUID
    let url: String
    let depth: Int
    let hops: Int
    /// Not for its head alone: that was refused.
    var asksWhole = false

    init(_ url: String, of check: UUID, depth: Int, hops: Int) {
        (self.check, self.url, self.depth, self.hops) = (check, url, depth, hops)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        depth = try container.decodeNumber(in: 0...Place.deepest, forKey: .depth) ?? 0
        hops = try container.decodeNumber(in: 0...Redirects.mostInCheck, forKey: .hops) ?? 0
        check = try container.decode(UUID.self, forKey: .check)
        url = try container.decode(String.self, forKey: .url)
        asksWhole = try container.decodeIfPresent(Bool.self, forKey: .asksWhole) ?? false
    }

    var askingWhole: ForeignVisit {
        var copy = self
        copy.asksWhole = true
        return copy
    }
}
