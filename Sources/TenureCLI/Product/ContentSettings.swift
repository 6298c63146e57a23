import Content

extension ContentConfiguration {
    /// `contact`, `allow`, `hostInterval` and `requestsPerHost` of the product's settings.
    init(_ settings: ProductSettings) throws {
        self.init()
        contact = try settings.text("contact")
        if let blocks = try settings.text("allow") {
            try allow(blocks.split(separator: ",").map(String.init))
        }
        if let interval = try settings.duration(
            "hostInterval", in: .milliseconds(100) ... .seconds(3600))
        {
            hostInterval = interval
        }
        if let most = try settings.whole("requestsPerHost", in: 1...100) { requestsPerHost = most }
    }
}
