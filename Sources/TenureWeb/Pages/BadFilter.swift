/// A list was asked for by a filter that means nothing: that is told above the filter's form, which
/// keeps what was given.
package struct BadFilter: Error {
    let why: BadRequest
    let tab: Tab?
    let title: String
    let form: @Sendable (Links) -> Markup

    /// Gives a page's form to what is refused of its filter.
    package static func keeping<Value>(
        _ tab: Tab?, _ title: String, form: @escaping @Sendable (Links) -> Markup,
        reading: () throws -> Value
    ) throws -> Value {
        do {
            return try reading()
        } catch let why as BadRequest {
            throw BadFilter(why: why, tab: tab, title: title, form: form)
        }
    }
}
