import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct NotifyList: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the channels, and what hasn't arrived.",
        discussion: """
            Example:
              tenure notify list --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    private struct Output: Encodable {
        let channel: String
        @OrNull var kind: Channel.Kind?
        let address: String
        @OrNull var to: String?
        @OrNull var from: String?
        @OrNull var user: String?
        @OrNull var secret: String?
        let unsent: Int
        @OrNull var sentAt: Date?
        @OrNull var failedAt: Date?
        @OrNull var error: String?
        @OrNull var pausedAt: Date?
        @OrNull var pausedWhy: String?

        init(_ channel: Channel) {
            self.channel = channel.name
            kind = channel.kind
            address = channel.shownAddress
            to = channel.recipient
            from = channel.sender
            user = channel.user
            secret = channel.secret?.description
            unsent = channel.unsent
            sentAt = channel.sentAt
            failedAt = channel.failedAt
            error = channel.error
            pausedAt = channel.pausedAt
            pausedWhy = channel.pausedWhy
        }
    }

    func execute() async throws {
        let channels = try await Database.product(common) { try await $0.channels.list() }
        if json { return Terminal.output(try JSONText.encode(channels.map(Output.init))) }
        if channels.isEmpty {
            return Terminal.output("no channels; add one with: tenure notify add")
        }
        var table = Table("channel", "kind", "address", "secret", "unsent", "last sent", "problem")
        for channel in channels {
            table.add(
                channel.name, channel.kind?.rawValue ?? "unknown", Self.address(channel),
                channel.secret?.description, "\(channel.unsent)",
                channel.sentAt.map { TimeText.relative($0) },
                channel.pausedAt == nil ? channel.error : "paused: \(channel.pausedWhy ?? "")")
        }
        Terminal.output(table.text)
    }

    private static func address(_ channel: Channel) -> String {
        channel.recipient.map { "\($0) by \(channel.shownAddress)" } ?? channel.shownAddress
    }
}
