/// Numbers of bytes, as headers write them: checked here, once, so that whoever adds two of them
/// needn't ask whether the sum is a number.
public enum ByteCount {
    /// An exbibyte: nobody sends a file that long.
    public static let most: Int64 = 1 << 60

    /// Digits alone, no sign, up to `most`; nil for anything else.
    public static func parse(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let count = Int64(text),
            count <= most
        else { return nil }
        return count
    }
}
