import Foundation

/// Bodies that are small on their way and a gigabyte when they are decoded.
struct Bombs: Sendable {
    let gzip: [UInt8]
    let deflate: [UInt8]
    let rawDeflate: [UInt8]
    /// A hundred and ninety times as large decoded: no ratio gives it away.
    let modest: [UInt8]

    /// A gigabyte of zeros, as brotli writes it.
    static func brotli() throws -> [UInt8] {
        try unpacked(
            "H4sIAAAAAAACAzv//389gwrDo40ORe////z/n7+BxUFGrOHdX/v///8zTmDoOMx0Ye//5///2zMI"
                + "MRRGMOz6/v/P///sDkwKfNwO3//NB6pi8GA4ksj44t7/z///yzNwNljoMNz9Xf/v/39mBUaBdtYF"
                + "1f/PQy3ZwFAyasmoJUPREnsA6yXQBSkDAAA=")
    }

    /// A gzip stream of nothing but empty blocks, a gigabyte of them, inside brotli: whoever
    /// undoes both works long and gets nothing.
    static func busy() throws -> [UInt8] {
        try unpacked(
            "H4sIAAAAAAACAzv//389A4vZg0NHmFocH4akTDlspDFh1pu0vf/7////z+DBcCSR8cW9/5///5dn"
                + "4Gyw0GG4+7v+3///zAqMAu2sC6r/nwfpV2F4tIGh5P3/n///8zewOMiINbz7aw/UzjiBoeMw04W9"
                + "/5///2/PIMRQGMGw6/v/P///szswKfBxO3z/N3/UklFLhoQl518CVQUxMKeeTGS14Hz/XxMAQgtv"
                + "DDoDAAA=")
    }

    /// A gigabyte of zeros: blocks of 128 KiB, four bytes each.
    static let zstd: [UInt8] = {
        let blocks = 8 << 10
        let size = UInt32(128 << 10)
        var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
        for index in 1...blocks {
            let header = size << 3 | 1 << 1 | (index == blocks ? 1 : 0)
            frame += withUnsafeBytes(of: header.littleEndian) { $0.prefix(3) } + [0]
        }
        return frame
    }()

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bombs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try run("python3", "-c", Self.script, folder.path)
        func file(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: folder.appendingPathComponent(name)))
        }
        (gzip, deflate) = (try file("gzip"), try file("deflate"))
        (rawDeflate, modest) = (try file("raw"), try file("modest"))
    }

    /// Packs a mebibyte once and repeats it: a block that refers to none before it can be.
    private static let script = """
        import os, sys, zlib
        def block(content):
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            return packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)
        def write(name, data):
            open(os.path.join(sys.argv[1], name), 'wb').write(data)
        zeros = block(bytes(1 << 20)) * 1024 + b'\\3\\0'
        modest = (block(os.urandom(4600)) + block(bytes(1 << 20))) * 1024 + b'\\3\\0'
        head = b'\\x1f\\x8b\\x08' + bytes(7)
        write('gzip', head + zeros + bytes(8))
        write('modest', head + modest + bytes(8))
        write('deflate', b'\\x78\\xda' + zeros + bytes(4))
        write('raw', zeros)
        """

    private static func unpacked(_ base64: String) throws -> [UInt8] {
        guard let data = Data(base64Encoded: base64) else { throw CocoaError(.coderInvalidValue) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try data.write(to: file)
        return try run("sh", "-c", "gzip -dc <'\(file.path)'")
    }
}
