import TenurePostgres
import TestSupport
import Testing

@testable import Tenure

/// Wake-ups go out with the commit they tell of, and hold nobody up.
@Suite struct NotifierTests {
    /// A database, a client, and somebody who listens.
    private final class Scene: Sendable {
        let conninfo: String
        let pool: PostgresPool
        let client: TenureClient
        private let listener: PostgresListener
        private let heard = Lock<[String]>([])
        private let isListening = Lock(false)

        init() async throws {
            conninfo = try await TestPostgres.shared().makeMigratedDatabase()
            let configuration = try PostgresConfiguration(conninfo)
            pool = PostgresPool(configuration: configuration, size: 3)
            client = TenureClient(pool: pool)
            listener = PostgresListener(
                configuration: configuration, channels: [Wakeup.available, Wakeup.endings])
        }

        func during(_ body: () async throws -> Void) async throws {
            let running = Task { [listener] in try await listener.run() }
            let hearing = Task { [self] in
                for await event in listener.events {
                    if case .listening = event { isListening.withLock { $0 = true } }
                    guard case .notification(let notification) = event else { continue }
                    heard.withLock { $0.append(notification.payload) }
                }
            }
            while !isListening.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            try await body()
            running.cancel()
            hearing.cancel()
            await pool.close()
        }

        /// Waits for a wake-up, and forgets it.
        func hears(_ payload: String) async throws -> Bool {
            for _ in 0..<1000 {
                let isThere = heard.withLock { heard in
                    guard let place = heard.firstIndex(of: payload) else { return false }
                    heard.remove(at: place)
                    return true
                }
                if isThere { return true }
                try await Task.sleep(for: .milliseconds(5))
            }
            return false
        }
    }

    @Test(arguments: [nil, .superseding("a"), .coalescing("a")] as [KeyMode?], [false, true])
    func `A wake-up is on its way when the enqueue returns, also if the program ends then`(
        mode: KeyMode?, inTransaction: Bool
    ) async throws {
        let scene = try await Scene()
        try await scene.during {
            let job = try NewJob(kind: "k", payload: "{}", mode, queue: "q")
            if inTransaction {
                try await scene.pool.transaction { try scene.client.enqueue([job], in: $0) }
            } else {
                try await scene.client.enqueue([job])
            }
            await scene.pool.close()
            #expect(try await scene.hears("q"))
            if mode?.way == .superseding { #expect(try await scene.hears("key:k:a")) }
        }
    }

    @Test func `Of many, one after the other, the last one is told of`()
        async throws
    {
        let scene = try await Scene()
        try await scene.during {
            let count = 300
            for number in 0..<count {
                try await scene.client.enqueue([
                    try NewJob(
                        kind: "k", payload: "{}", queue: number == count - 1 ? "last" : "q")
                ])
            }
            #expect(try await scene.hears("last"))
        }
    }

    @Test func `An enqueue that stands behind a lock holds up nobody's wake-ups`() async throws {
        let scene = try await Scene()
        try await scene.during {
            let holder = try await PostgresConnection.connect(
                try PostgresConfiguration(scene.conninfo))
            defer { holder.close() }
            let first = try NewJob(kind: "k", payload: "{}", .superseding("a"), queue: "held")
            try await scene.client.enqueue([first])
            #expect(try await scene.hears("held"))
            try await holder.simple(
                "BEGIN; SELECT FROM tenure.subject_lock WHERE key = 'a' FOR UPDATE")
            let waiting = Task {
                try await scene.client.enqueue([
                    try NewJob(kind: "k", payload: "{}", .superseding("a"), queue: "held")
                ])
            }
            let blocked = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            while try await scene.pool.query(blocked) == 0 {}
            for queue in ["one", "two"] {
                try await scene.client.enqueue([
                    try NewJob(kind: "k", payload: "{}", queue: QueueName(queue))
                ])
                #expect(try await scene.hears(queue))
            }
            try await holder.simple("ROLLBACK")
            _ = try await waiting.value
            #expect(try await scene.hears("held"))
        }
    }

    @Test func `What is enqueued by a hook after the gathered jobs is enqueued too`() async throws {
        let scene = try await Scene()
        try await scene.during {
            try await scene.pool.transaction { transaction in
                try scene.client.enqueue(
                    [try NewJob(kind: "k", payload: "{}", queue: "one")], in: transaction)
                try transaction.addBeforeCommit { transaction in
                    try scene.client.enqueue(
                        [try NewJob(kind: "k", payload: "{}", queue: "two")], in: transaction)
                }
            }
            #expect(try await scene.pool.query("SELECT FROM tenure.job") == 2)
            #expect(try await scene.hears("one"))
            #expect(try await scene.hears("two"))
        }
    }

    @Test func `A bulk of many keys names their kind, one of few names each key`() throws {
        func payloads(_ count: Int) throws -> [String] {
            let jobs = try (1...count).map {
                try NewJob(kind: "a:b", payload: "{}", .superseding("\($0)"))
            }
            return Wakeup.after(jobs).map(\.payload).sorted()
        }
        #expect(try payloads(2) == ["default", "key:a:b:1", "key:a:b:2"])
        #expect(try payloads(16).count == 17)
        #expect(try payloads(17) == ["default", "kind:a:b"])
        #expect(Wakeup.kind(in: "kind:a:b") == "a:b")
        #expect(Wakeup.kind(in: "key:a:b:1") == nil)
    }
}
