/// Reads a part of `audit.jsonl`.
struct AuditReader {
    private var audit = Audit()
    private var headers = ObjectReader(Header.columns)
    private var jobs = RowReader<JobRow>()
    private var history = RowReader<HistoryRow>()
    private var subjects = RowReader<SubjectRow>()
    private var sessions = RowReader<SessionRow>()
    private var lanes = RowReader<LaneRow>()
    private var queues = RowReader<QueueRow>()
    private var effects = RowReader<EffectRow>()
    private var firstSeq: Int?
    private var lastSeq = Int.min

    /// Reads the file in pieces, on all processors.
    static func read(_ file: LineFile) async throws(UnusableRecording) -> Audit {
        let parts = file.parts(file.data.count > 1 << 20 ? 4 : 1)
        let pieces = await concurrently(parts) { part in
            Result { () throws(UnusableRecording) in
                var reader = AuditReader()
                try reader.read(file, part)
                return (reader.audit, reader.firstSeq, reader.lastSeq)
            }
        }
        var audit = Audit()
        var lastSeq = Int.min
        for (piece, part) in zip(pieces, parts) {
            let (next, first, last) = try piece.get()
            if let first, first <= lastSeq {
                throw UnusableRecording(file.name, line: part.firstLine, outOfOrder(first))
            }
            audit.append(next)
            lastSeq = last
        }
        return audit
    }

    private mutating func read(
        _ file: LineFile, _ part: LineFile.Part
    ) throws(UnusableRecording) {
        try file.forEachLine(in: part) { scanner, line throws(JSONError) in
            try self.read(&scanner, line)
        }
    }

    private mutating func read(
        _ scanner: inout JSONScanner, _ line: LineFile.Line
    ) throws(JSONError) {
        let start = scanner.at
        try headers.read(&scanner)
        let members = Members(values: headers.values, names: Header.columns)
        let operation = try members.word(4, Header.Operation.self)
        let old = operation == .insert ? nil : try members.container(5)
        let new = operation == .delete ? nil : try members.container(6)
        let row = new.map { line.offset + ($0.start - start) } ?? line.offset
        let header = Header(
            line: line.number, seq: try members.integer(0), boot: try members.seconds(1),
            xid: try members.integer(2), table: try members.word(3, Header.Table.self),
            row: row..<row + (new?.count ?? 0))
        guard header.seq > lastSeq else { throw JSONError(Self.outOfOrder(header.seq)) }
        lastSeq = header.seq
        if firstSeq == nil { firstSeq = header.seq }
        try add(header, old, new)
    }

    private mutating func add(
        _ header: Header, _ old: JSONSlice?, _ new: JSONSlice?
    ) throws(JSONError) {
        switch header.table {
        case .job: audit.jobs.append(try jobs.read(header, old, new))
        case .history: audit.history.append(try history.read(header, old, new))
        case .subject: audit.subjects.append(try subjects.read(header, old, new))
        case .session: audit.sessions.append(try sessions.read(header, old, new))
        case .lane: audit.lanes.append(try lanes.read(header, old, new))
        case .queue: audit.queues.append(try queues.read(header, old, new))
        case .effect: audit.effects.append(try effects.read(header, old, new))
        }
    }

    private static func outOfOrder(_ seq: Int) -> String { "`seq` \(seq) is not after the last" }
}

/// Reads the rows of one table.
private struct RowReader<Row: AuditRow> {
    private var columns = ObjectReader(Row.columns)

    mutating func read(
        _ header: Header, _ old: JSONSlice?, _ new: JSONSlice?
    ) throws(JSONError) -> Change<Row> {
        Change(header: header, old: try row(old), new: try row(new))
    }

    private mutating func row(_ slice: JSONSlice?) throws(JSONError) -> Row? {
        guard let slice else { return nil }
        var scanner = slice.scanner
        try columns.read(&scanner)
        return try Row(Members(values: columns.values, names: Row.columns))
    }
}
