/// Why a check or a fetch can't be done as asked. `description` is one line and says what to do.
public struct ContentError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        /// Not a URL that is ever fetched; the message says why.
        public static let refusedURL = Code(description: "refusedURL")
        /// A foreign host may only be crawled by somebody who can be reached.
        public static let noContact = Code(description: "noContact")
        /// The folder can't be served.
        public static let badFolder = Code(description: "badFolder")
        /// There is no such run.
        public static let unknownCheck = Code(description: "unknownCheck")
        /// A run has ended, and nobody has noted what it came to.
        public static let unfinishedCheck = Code(description: "unfinishedCheck")
        /// What can't be compared.
        public static let differentSites = Code(description: "differentSites")
        /// There is no such item.
        public static let unknownItem = Code(description: "unknownItem")
        /// An option has a value that can't be used.
        public static let badOption = Code(description: "badOption")
        /// Others keep at it: what was asked couldn't be done without waiting for long.
        public static let busy = Code(description: "busy")
        /// There is no such site.
        public static let unknownSite = Code(description: "unknownSite")
        /// It is there already.
        public static let alreadyThere = Code(description: "alreadyThere")
        /// There is no such channel.
        public static let unknownChannel = Code(description: "unknownChannel")
        /// A worker doesn't find a channel's secret.
        public static let noSecret = Code(description: "noSecret")
        /// A notice didn't arrive.
        public static let notSent = Code(description: "notSent")
        /// The content of a file was replaced by a newer one while it was read.
        public static let replacedFile = Code(description: "replacedFile")
        /// The bytes that are kept of a file are not what was fetched.
        public static let damagedFile = Code(description: "damagedFile")
        /// The database holds what this program doesn't understand.
        public static let newerDatabase = Code(description: "newerDatabase")
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
