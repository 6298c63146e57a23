/// One value of a JSON text, or a key, in the order in which they stand there.
struct PayloadNode: BitwiseCopyable {
    /// Where its first byte is, which says what it is.
    var start: UInt32
    /// The place behind its last byte. Of an object: the node of the key that was found last, where
    /// the next look begins.
    var end: UInt32
    /// The node behind it and all that it holds.
    var next: UInt32
    /// Of an array, its elements; of an object, its fields; of a text, whether it has escapes; of a
    /// number, whether it has more than digits and a sign.
    var detail: UInt32
}
