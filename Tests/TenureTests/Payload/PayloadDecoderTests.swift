import Tenure
import TenureFoundation
import Testing

/// Everything is decoded both ways, and has to come to the same: every type on every payload.
@Suite struct PayloadDecoderTests {
    /// A type as it is tried on a payload: what is wrong, if anything is.
    struct Trial: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (String) -> String?

        init<Value: Decodable & Equatable & SendableMetatype>(_ type: Value.Type) {
            self.init(type, blames: !"\(type)".hasPrefix("Dictionary")) {
                $0 == $1 && Self.text($0) == Self.text($1)
            }
        }

        /// - Parameter blames: whether errors say the same each time: Foundation goes over an
        ///   object's fields in an order that differs from one time to the next.
        init<Value: Decodable & SendableMetatype>(
            _ type: Value.Type, blames: Bool = true,
            _ isSame: @escaping @Sendable (Value, Value) -> Bool
        ) {
            testDescription = "\(type)"
            run = { payload in
                let theirs = Result { try JSONDecoder().decode(type, from: Data(payload.utf8)) }
                let ours = Result { try PayloadDecoder.decode(type, from: payload) }
                let alone = PayloadDecoder.decodeAlone(type, from: payload)
                switch (theirs, ours) {
                case (.success(let theirs), .success(let ours)):
                    if isSame(theirs, ours), alone.map({ isSame(theirs, $0) }) ?? true {
                        return nil
                    }
                    return "\(theirs) was \(ours)"
                case (.failure(let theirs), .failure(let ours)):
                    let isSame =
                        "\(theirs)" == "\(ours)"
                        && PayloadMismatch.text(theirs) == PayloadMismatch.text(ours)
                    if alone == nil, isSame || !blames { return nil }
                    return "\(theirs) was \(ours), \(String(describing: alone)) alone"
                default: return "\(theirs) was \(ours)"
                }
            }
        }

        /// The sign of zero, too; a dictionary's order says nothing.
        private static func text(_ value: some Any) -> [Substring] {
            var text = ""
            dump(value, to: &text)
            return text.split(separator: "\n").sorted()
        }
    }

    static let trials: [Trial] = [
        Trial(PayloadTypes.Plain.self), Trial(PayloadTypes.Wide.self),
        Trial(PayloadTypes.Optionals.self), Trial(PayloadTypes.Nested.self),
        Trial(PayloadTypes.Foreign.self), Trial(PayloadTypes.Left.self),
        Trial(PayloadTypes.Choice.self), Trial(PayloadTypes.Words.self),
        Trial(PayloadTypes.Renamed.self), Trial(PayloadTypes.Tried.self),
        Trial(PayloadTypes.Lenient.self), Trial(PayloadTypes.ByHand.self),
        Trial(PayloadTypes.Places.self), Trial(PayloadTypes.Flat.self),
        Trial(PayloadTypes.Kept.self), Trial([PayloadTypes.Placed].self),
        Trial(PayloadTypes.Child.self) { $0.url == $1.url && $0.depth == $1.depth },
        Trial(PayloadValue.self, blames: false) { "\($0)".count == "\($1)".count },
        Trial(Bool.self), Trial(Int.self), Trial(Int8.self), Trial(Int16.self), Trial(Int32.self),
        Trial(Int64.self), Trial(UInt.self), Trial(UInt8.self), Trial(UInt16.self),
        Trial(UInt32.self), Trial(UInt64.self), Trial(Int128.self), Trial(UInt128.self),
        Trial(Float.self), Trial(Double.self), Trial(String.self), Trial(Date.self),
        Trial(UUID.self), Trial(URL.self), Trial(Data.self), Trial(Decimal.self),
        Trial(Int?.self), Trial([Int].self), Trial([Int?].self), Trial([Double].self),
        Trial([Float].self), Trial([String].self), Trial([Bool].self), Trial(Set<Int>.self),
        Trial([String: Int].self), Trial([Int: Int].self), Trial([Double: Int].self),
        Trial([String: [String: Int]].self), Trial([PayloadTypes.Word: Int].self),
        Trial(PayloadTypes.Word.self), Trial(PayloadTypes.Number.self), Trial(JobID.self),
        Trial(Range<Int>.self), Trial(Duration.self),
    ]

    /// What stays wrong: Foundation reads the keys of a dictionary in another order each time, and
    /// where two are broken it names either.
    private static func stubborn(_ trial: Trial, _ payload: String) -> String? {
        var wrong: String?
        for _ in 0..<20 {
            wrong = trial.run(payload)
            if wrong == nil { return nil }
        }
        return wrong
    }

    @Test(arguments: trials)
    func `a payload decodes as Foundation has it`(_ trial: Trial) {
        for payload in PayloadCorpus.all {
            if let wrong = Self.stubborn(trial, payload) {
                Issue.record("\(wrong) of \(payload.prefix(200))")
            }
        }
    }

    /// Payloads of the corpus with a byte changed, taken out or put in, or with two cut together.
    @Test(arguments: 0..<8)
    func `what is broken decodes as Foundation has it`(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let letters = Array("{}[]\",:\\ue0123456789.+-tfn \nab".utf8)
        for _ in 0..<500 {
            var bytes = Array(PayloadCorpus.all.randomElement(using: &random)!.utf8.prefix(400))
            for _ in 0...Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = letters.randomElement(using: &random)!
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(letters.randomElement(using: &random)!, at: place)
                default:
                    let other = PayloadCorpus.all.randomElement(using: &random)!.utf8.prefix(400)
                    bytes = Array(bytes.prefix(place)) + other.dropFirst(place)
                }
            }
            let payload = String(decoding: bytes, as: UTF8.self)
            for trial in Self.trials.shuffled(using: &random).prefix(6) {
                if let wrong = Self.stubborn(trial, payload) {
                    Issue.record("\(wrong) of \(payload), as \(trial.testDescription)")
                }
            }
        }
    }

    @Test func `what is common needs no Foundation`() {
        func alone<Value: Decodable>(_ type: Value.Type, _ payloads: String...) {
            for payload in payloads {
                #expect(PayloadDecoder.decodeAlone(type, from: payload) != nil, "\(payload)")
            }
        }
        alone(
            PayloadTypes.Plain.self, #"{"url": "https://example.org", "depth": 1}"#,
            #"{"depth":-1,"url":"a\n\u00e9\ud83d\ude00","more":[1.5e3,{"a":null}]}"#)
        alone(PayloadTypes.Wide.self, PayloadCorpus.typed[0])
        alone(PayloadTypes.Optionals.self, "{}", #"{"list": [1, null], "nested": null}"#)
        alone(PayloadTypes.Foreign.self, PayloadCorpus.typed[14])
        alone(PayloadTypes.Choice.self, #"{"named": {"first": "a"}}"#)
        alone(
            PayloadTypes.Words.self, #"{"word":"red","words":{"red":1},"numbers":{"1":"a"}}"#)
        alone(PayloadTypes.ByHand.self, #"{"a":["x",null],"b":null}"#)
        alone(PayloadTypes.Flat.self, #"{"url":"a","depth":1}"#)
        alone([Double].self, "[0, -0.0, 1, 1.5, 1e300, 9007199254740993]")
        alone([String: Int].self, "{}", #"{"a": 1, "b": 2, "aa": 3}"#)
    }

    @Test func `a decoder that somebody keeps reads nothing afterwards`() throws {
        let keeper = try PayloadDecoder.decode([PayloadTypes.Keeper].self, from: "[1]")[0]
        #expect(PayloadDecoder.decodeAlone([PayloadTypes.Keeper].self, from: "[1]") == nil)
        _ = try keeper.decoder.singleValueContainer()
    }
}

/// The same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
