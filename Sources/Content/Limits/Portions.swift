extension Array {
    /// What statements that write many rows write at once: a parameter has its limit, and so has
    /// the memory of whoever reads it. A row that is larger by itself goes alone.
    /// - Parameter size: about how many bytes of a row vary.
    func portions(of size: (Element) -> Int) -> [ArraySlice<Element>] {
        var portions: [ArraySlice<Element>] = []
        var (start, bytes) = (startIndex, 0)
        for (index, element) in enumerated() {
            let next = size(element)
            if index > start, bytes + next > 16 << 20 {
                portions.append(self[start..<index])
                (start, bytes) = (index, 0)
            }
            bytes += next
        }
        if start < endIndex { portions.append(self[start...]) }
        return portions
    }
}
