/// What a document answers without asking the type.
protocol PayloadScalar: Decodable {
    init(_ document: PayloadDocument, at node: UInt32) throws
}

extension Bool: PayloadScalar {
    init(_ document: PayloadDocument, at node: UInt32) throws { self = try document.bool(at: node) }
}

extension String: PayloadScalar {
    init(_ document: PayloadDocument, at node: UInt32) throws {
        self = try document.string(at: node)
    }
}

extension Double: PayloadScalar {
    init(_ document: PayloadDocument, at node: UInt32) throws {
        self = try document.double(at: node)
    }
}

extension Float: PayloadScalar {
    init(_ document: PayloadDocument, at node: UInt32) throws {
        self = try document.float(at: node)
    }
}

extension PayloadScalar where Self: FixedWidthInteger {
    init(_ document: PayloadDocument, at node: UInt32) throws {
        self = try document.integer(at: node)
    }
}

extension Int: PayloadScalar {}
extension Int8: PayloadScalar {}
extension Int16: PayloadScalar {}
extension Int32: PayloadScalar {}
extension Int64: PayloadScalar {}
extension Int128: PayloadScalar {}
extension UInt: PayloadScalar {}
extension UInt8: PayloadScalar {}
extension UInt16: PayloadScalar {}
extension UInt32: PayloadScalar {}
extension UInt64: PayloadScalar {}
extension UInt128: PayloadScalar {}
