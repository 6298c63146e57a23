public import Content
import Tenure
import TenureFoundation

/// An item, and how its last fetch went where somebody asked. Its URLs are without secrets; its id
/// names it all the same.
struct ItemReport: Report {
    let item: Item
    var last: ItemFetchRecord?

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": item.id, "url": URLRedaction.text(item.url), "outcome": item.outcome,
            "code": item.code, "status": item.status,
            "finalURL": item.finalURL.map(URLRedaction.text),
            "movedTo": item.movedTo.map(URLRedaction.text), "missingSince": item.missingSince,
            "title": item.title, "mediaType": item.mediaType, "charset": item.charset,
            "bytes": item.bytes, "hash": item.hash, "hasBody": item.hasBody,
            "words": item.keptWords, "references": item.references, "anchors": item.anchors,
            "version": item.keptVersion, "suspicion": item.suspicion,
            "candidate": item.candidate.map(CandidateReport.init), "freshUntil": item.freshUntil,
            "fetchedAt": item.fetchedAt, "attemptedAt": item.attemptedAt, "fields": item.fields,
            "lastFetch": last,
        ])
    }

    var text: String { ItemText.text(item, last) }
}

private struct CandidateReport: Encodable {
    let candidate: Item.Candidate

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "reason": candidate.reason, "words": candidate.words, "title": candidate.title,
            "fetch": candidate.fetch, "foundAt": candidate.foundAt,
            "refusedBy": candidate.refusedBy,
        ])
    }
}

extension ItemReport: TableRow {
    static let titles = ["url", "outcome", "status", "words", "version", "title", "tried"]

    var cells: [String?] {
        [
            URLRedaction.text(item.url), ItemText.outcome(item), item.status.map(String.init),
            item.keptWords.map(String.init), item.keptVersion.map(String.init), item.title,
            TimeText.relative(item.attemptedAt),
        ]
    }
}

/// Of a page that was only checked nothing is kept: it has no version, and its words were not
/// counted.
extension Item {
    var keptVersion: Int? { version == 0 ? nil : version }
    var keptWords: Int? { version == 0 ? nil : words }
}

extension ItemFetchRecord: TableRow {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": id, "job": job, "run": run, "askedAt": askedAt, "endedAt": endedAt,
            "mode": mode, "outcome": outcome, "code": code, "failure": failure, "status": status,
            "detail": detail, "finalURL": finalURL, "isCharged": isCharged, "dnsSeconds": dns,
            "connectSeconds": connect, "tlsSeconds": tls, "firstByteSeconds": firstByte,
            "totalSeconds": total, "wireBytes": wireBytes, "bytes": bytes,
        ])
    }

    static let titles = [
        "asked", "mode", "outcome", "code", "status", "bytes", "dns", "connect", "tls",
        "first byte", "total",
    ]

    var cells: [String?] {
        func time(_ seconds: Double?) -> String? {
            seconds.map { DurationText.format(.seconds($0)) }
        }
        return [
            TimeText.full(askedAt), mode, outcome.rawValue, code, status.map(String.init),
            bytes.map(String.init), time(dns), time(connect), time(tls), time(firstByte),
            time(total),
        ]
    }
}

extension ItemVersion: TableRow {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "number": number, "madeAt": madeAt, "madeBy": madeBy, "fetch": fetch,
            "changed": changed, "words": words, "hash": hash, "body": body, "title": title,
        ])
    }

    static let titles = ["version", "made", "by", "changed", "words", "title"]

    var cells: [String?] {
        [
            "\(number)", TimeText.full(madeAt), madeBy ?? "a fetch",
            changed.joined(separator: ", "), "\(words)", title,
        ]
    }
}
