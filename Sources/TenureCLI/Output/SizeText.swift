/// Bytes for people: `12.3 MiB`.
enum SizeText {
    static func format(_ bytes: Int64) -> String {
        let units = ["GiB", "MiB", "KiB"]
        for (place, unit) in units.enumerated() {
            let tenths = (bytes * 10) >> Int64(30 - 10 * place)
            if tenths >= 10 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
        }
        return "\(bytes) bytes"
    }
}
