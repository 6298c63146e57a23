import TenureLibyaml

/// What libyaml finds in a text, one thing after the other.
final class YAMLEvents {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case text(String, isPlain: Bool)
        case listStart, listEnd, mapStart, mapEnd, alias
    }

    struct Event {
        let kind: Kind
        let place: YAMLPlace
    }

    /// Both stay where they are: the parser points into them.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) throws(YAMLError) {
        text = .allocate(capacity: max(1, bytes.count))
        _ = text.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            text.deallocate()
            throw YAMLError(YAMLPlace(line: 1, column: 1), "no memory to read it")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// - Throws: `YAMLError` for what is no YAML, and for the parts of it that aren't read.
    func next() throws(YAMLError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        let place = YAMLPlace(event.start_mark)
        switch event.type {
        case YAML_STREAM_START_EVENT: return Event(kind: .streamStart, place: place)
        case YAML_STREAM_END_EVENT: return Event(kind: .streamEnd, place: place)
        case YAML_DOCUMENT_START_EVENT: return Event(kind: .documentStart, place: place)
        case YAML_DOCUMENT_END_EVENT: return Event(kind: .documentEnd, place: place)
        case YAML_ALIAS_EVENT: return Event(kind: .alias, place: place)
        case YAML_SEQUENCE_END_EVENT: return Event(kind: .listEnd, place: place)
        case YAML_MAPPING_END_EVENT: return Event(kind: .mapEnd, place: place)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            try require(anchor: start.anchor, tag: start.tag, at: place)
            return Event(kind: .listStart, place: place)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            try require(anchor: start.anchor, tag: start.tag, at: place)
            return Event(kind: .mapStart, place: place)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            try require(anchor: scalar.anchor, tag: scalar.tag, at: place)
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            return Event(
                kind: .text(String(decoding: bytes, as: UTF8.self), isPlain: isPlain), place: place)
        default: throw YAMLError(place, "nothing that is read")
        }
    }

    private func require(
        anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?,
        at place: YAMLPlace
    ) throws(YAMLError) {
        if anchor != nil { throw YAMLError(place, YAMLText.noAliases) }
        if tag != nil {
            throw YAMLError(place, "tags (!) aren't read; put a text that begins with ! in quotes")
        }
    }

    private var failure: YAMLError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it can't be read"
        let context = parser.pointee.context.map { String(cString: $0) } ?? ""
        guard parser.pointee.error != YAML_READER_ERROR else {
            let place = YAMLText.place(of: parser.pointee.problem_offset, in: Array(text))
            return YAMLError(place, problem)
        }
        let mark = parser.pointee.problem_mark
        // Where the alias begins: what follows its * is what libyaml stumbles over.
        if context.contains("alias") || context.contains("anchor") {
            return YAMLError(YAMLPlace(parser.pointee.context_mark), YAMLText.noAliases)
        }
        if problem.hasPrefix("found character that cannot start") {
            let place = YAMLPlace(mark)
            return YAMLError(
                place,
                YAMLText.isTab(at: place, in: Array(text))
                    ? "a tab; indent with spaces"
                    : "a character that begins no text; put the text in quotes")
        }
        let during = context.isEmpty ? "" : " (\(context))"
        return YAMLError(YAMLPlace(mark), problem + during)
    }
}

extension YAMLPlace {
    init(_ mark: yaml_mark_t) { self.init(line: mark.line + 1, column: mark.column + 1) }
}
