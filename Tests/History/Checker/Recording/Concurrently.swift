/// Does the same to each element, all at once, and keeps their order.
func concurrently<Element: Sendable, Answer: Sendable>(
    _ elements: [Element], _ work: @escaping @Sendable (Element) -> Answer
) async -> [Answer] {
    await withTaskGroup(of: (Int, Answer).self) { group in
        for (index, element) in elements.enumerated() {
            group.addTask { @concurrent in (index, work(element)) }
        }
        var answers: [Int: Answer] = [:]
        for await (index, answer) in group { answers[index] = answer }
        return elements.indices.compactMap { answers[$0] }
    }
}
