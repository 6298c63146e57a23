extension Substring {
    /// As its server reads it: `api%5Fkey` is `api_key`.
    package var percentDecoded: String { String(decoding: percentDecodedBytes, as: UTF8.self) }

    package var percentDecodedBytes: [UInt8] { Percent.decode(utf8) }
}
