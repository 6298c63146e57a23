// docs/decisions/merge.md

import TenureFoundation

/// A field as it counts now.
struct ItemField: Sendable, Hashable {
    var value: String
    var source: FieldSource
    /// When the request that brought it began, or when a person set it.
    var askedAt: Date
}

/// What a fetch brought, as far as merging goes by it.
struct FetchedContent: Sendable {
    var askedAt: Date
    var fields: [FieldName: FetchedField] = [:]
    var words = 0
    /// It has a body at all.
    var isEmpty = false
    /// All of the document was read: no limit cut anything off.
    var isComplete = true
    var suspicion: Suspicion?
}

/// What is there, read under the item's lock.
struct KeptContent: Sendable {
    /// When the request began that the content is from; nil without any.
    var askedAt: Date?
    var fields: [FieldName: ItemField] = [:]
    /// Of the document that was last accepted.
    var words = 0
    /// That document was doubted itself: nothing is measured by it.
    var isDoubted = false
}

/// How what a fetch brought goes together with what is there. A pure rule.
///
/// A field that a person edited stays. An empty one is filled. A fetched one is replaced by a
/// newer, non-empty value of a document that was read completely. What is suspicious replaces
/// nothing, and is kept beside.
struct Merging: Sendable, Equatable {
    enum Way: Sendable, Equatable {
        /// The document takes the place of the old one.
        case accept
        /// It is kept beside the old one.
        case keepBeside(Suspicion)
        /// Nothing of it is kept: it only says that nobody was let in.
        case refuse(Suspicion)
        /// A newer one is there: it fills what is empty.
        case onlyFill
    }

    var way: Way
    /// What is written, and what of it is new.
    var changes: [FieldName: FetchedField] = [:]
    /// Why the accepted content is doubted all the same: there is no other.
    var doubt: Suspicion?

    /// Fewer than so many percent of the words make a document suspicious.
    static let leastPercent = 30

    static func decide(
        _ new: FetchedContent, into old: KeptContent, _ policy: ContentFetch.Merge
    ) -> Merging {
        let hasContent = old.askedAt != nil
        let suspicion = policy == .replace ? nil : suspicion(of: new, beside: old)
        if let suspicion {
            if hasContent, !old.isDoubted { return Merging(way: .keepBeside(suspicion)) }
            if suspicion == .challenge { return Merging(way: .refuse(suspicion)) }
        }
        if let asked = old.askedAt, asked > new.askedAt {
            return Merging(way: .onlyFill, changes: changes(new, old, fillsOnly: true))
        }
        let fillsOnly = !new.isComplete && policy == .defensive
        return Merging(
            way: .accept, changes: changes(new, old, fillsOnly: fillsOnly),
            doubt: suspicion)
    }

    private static func suspicion(
        of new: FetchedContent, beside old: KeptContent
    ) -> Suspicion? {
        if let found = new.suspicion { return found }
        guard old.askedAt != nil, !old.isDoubted else { return nil }
        return new.isEmpty || new.words * 100 < old.words * leastPercent ? .shrunk : nil
    }

    private static func changes(
        _ new: FetchedContent, _ old: KeptContent, fillsOnly: Bool
    ) -> [FieldName: FetchedField] {
        new.fields.filter { name, field in
            guard !field.value.isEmpty else { return false }
            guard let kept = old.fields[name] else { return true }
            guard kept.source != .person, !fillsOnly, kept.askedAt <= new.askedAt else {
                return false
            }
            return kept.value != field.value || kept.source != field.source
        }
    }
}
