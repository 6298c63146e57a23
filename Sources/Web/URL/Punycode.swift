/// Punycode (RFC 3492) with the parameters of IDNA, without the prefix `xn--`.
enum Punycode {
    private static let base: UInt32 = 36
    private static let tMin: UInt32 = 1
    private static let tMax: UInt32 = 26
    private static let initialBias: UInt32 = 72
    private static let initialN: UInt32 = 128
    /// Encoding is quadratic in the number of distinct characters; no name comes near this.
    private static let maxLength = 2048

    static func encode(_ label: [Unicode.Scalar]) -> [UInt8]? {
        guard label.count <= maxLength else { return nil }
        var output = label.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = UInt32(output.count)
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (n, delta, bias, handled) = (initialN, UInt32(0), initialBias, basicCount)
        while handled < label.count {
            let next = label.lazy.map(\.value).filter { $0 >= n }.min()!
            let (step, overflow) = (next - n).multipliedReportingOverflow(by: handled + 1)
            guard !overflow, delta <= .max - step else { return nil }
            delta += step
            n = next
            for scalar in label {
                if scalar.value < n { delta += 1 }
                guard scalar.value == n else { continue }
                append(delta, bias, to: &output)
                bias = adapt(delta, handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return output
    }

    static func decode(_ input: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar]? {
        guard input.count <= maxLength, input.allSatisfy(\.isASCII) else { return nil }
        let delimiter = input.lastIndex(of: "-")
        var output = delimiter.map { Array(input[..<$0]) } ?? []
        var rest = delimiter.map { input[($0 + 1)...] } ?? input
        var (n, index, bias, isFirst) = (initialN, UInt32(0), initialBias, true)
        while !rest.isEmpty {
            guard let delta = takeDelta(&rest, bias) else { return nil }
            let length = UInt32(output.count) + 1
            guard index <= .max - delta else { return nil }
            index += delta
            bias = adapt(delta, length, isFirst: isFirst)
            isFirst = false
            guard n <= .max - index / length, let scalar = Unicode.Scalar(n + index / length)
            else { return nil }
            n += index / length
            index %= length
            output.insert(scalar, at: Int(index))
            index += 1
        }
        return output
    }

    private static func append(_ delta: UInt32, _ bias: UInt32, to output: inout [UInt8]) {
        var q = delta
        var k = base
        while true {
            let t = threshold(k, bias)
            if q < t { break }
            output.append(digit(t + (q - t) % (base - t)))
            q = (q - t) / (base - t)
            k += base
        }
        output.append(digit(q))
    }

    private static func takeDelta(
        _ rest: inout ArraySlice<Unicode.Scalar>, _ bias: UInt32
    ) -> UInt32? {
        var (delta, weight, k) = (UInt32(0), UInt32(1), base)
        while let scalar = rest.popFirst() {
            guard let digit = value(scalar) else { return nil }
            let (step, overflow) = digit.multipliedReportingOverflow(by: weight)
            guard !overflow, delta <= .max - step else { return nil }
            delta += step
            let t = threshold(k, bias)
            if digit < t { return delta }
            let (next, tooLarge) = weight.multipliedReportingOverflow(by: base - t)
            if tooLarge { return nil }
            weight = next
            k += base
        }
        return nil
    }

    private static func threshold(_ k: UInt32, _ bias: UInt32) -> UInt32 {
        k <= bias + tMin ? tMin : min(k - bias, tMax)
    }

    private static func adapt(_ delta: UInt32, _ length: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / length
        var k: UInt32 = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + 38)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func value(_ scalar: Unicode.Scalar) -> UInt32? {
        switch scalar {
        case "a"..."z": scalar.value - 0x61
        case "A"..."Z": scalar.value - 0x41
        case "0"..."9": scalar.value - 0x30 + 26
        default: nil
        }
    }
}
