/// Text without a pattern, cut from one long piece: making it costs nothing while jobs are made.
struct RandomText: Sendable {
    private let text: [UInt8]

    init(length: Int = 1_048_576) {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var random = SystemRandomNumberGenerator()
        text = (0..<length).map { _ in letters[Int(random.next(upperBound: UInt64(64)))] }
    }

    func slice(_ count: Int) -> String {
        let start = Int.random(in: 0...(text.count - count))
        return String(decoding: text[start..<start + count], as: UTF8.self)
    }
}
