import Testing

@testable import HTTPTransport

@Suite struct ExchangeTests {
    private typealias TestExchange = Exchange<String, Int, Int>
    private struct Failure: Error {}
    private var exchange = TestExchange(capacity: 4)

    @Test mutating func `a waiter gets the head when it comes`() throws {
        let parked = exchange.awaitHead(1)
        #expect((try? parked?.get()) == nil)
        let wakeup = exchange.deliver("head")
        #expect(wakeup.head?.waiter == 1)
        #expect(try wakeup.head?.result.get() == "head")
        #expect(try exchange.awaitHead(2)?.get() == "head")
    }

    @Test mutating func `a waiting reader gets bytes past the buffer`() throws {
        let parked = exchange.awaitChunk(1)
        #expect((try? parked.result?.get()) == nil)
        let (wakeup, pauses) = exchange.deliver([1, 2, 3, 4, 5])
        #expect(wakeup.chunk?.waiter == 1)
        #expect(try wakeup.chunk?.result.get() == [1, 2, 3, 4, 5])
        #expect(!pauses)
    }

    @Test mutating func `a full buffer stops the sender once and an empty one lets it go on`()
        throws
    {
        #expect(!exchange.deliver([1, 2, 3]).pauses)
        #expect(exchange.deliver([4]).pauses)
        #expect(!exchange.deliver([5]).pauses)
        let reading = exchange.awaitChunk(1)
        #expect(try reading.result?.get() == [1, 2, 3, 4, 5])
        #expect(reading.resumes)
        #expect(!exchange.awaitChunk(1).resumes)
    }

    @Test mutating func `what is buffered comes before the end, and before a failure`() throws {
        _ = exchange.deliver([1])
        _ = exchange.finish(.failure(Failure()))
        #expect(try exchange.awaitChunk(1).result?.get() == [1])
        #expect(throws: Failure.self) { try exchange.awaitChunk(1).result?.get() }
        #expect(throws: Failure.self) { try exchange.awaitChunk(1).result?.get() }
    }

    @Test mutating func `a failure wakes both waiters`() {
        _ = exchange.awaitHead(1)
        _ = exchange.awaitChunk(2)
        let wakeup = exchange.finish(.failure(Failure()))
        #expect(wakeup.head?.waiter == 1)
        #expect(wakeup.chunk?.waiter == 2)
        #expect(!exchange.isLive)
    }

    @Test mutating func `giving up closes what lives and drops what is buffered`() {
        _ = exchange.deliver([1])
        #expect(exchange.abandon(Failure()).closes)
        #expect(throws: Failure.self) { try exchange.awaitChunk(1).result?.get() }
        #expect(!exchange.abandon(Failure()).closes)
    }

    @Test mutating func `a body that came whole but isn't read ends as given up`() {
        _ = exchange.deliver([1])
        _ = exchange.finish(.success(()))
        #expect(!exchange.abandon(Failure()).closes)
        #expect(throws: Failure.self) { try exchange.awaitChunk(1).result?.get() }
    }

    @Test mutating func `a body that was read to its end has nothing to give up`() throws {
        _ = exchange.finish(.success(()))
        #expect(!exchange.abandon(Failure()).closes)
        let end = try #require(exchange.awaitChunk(1).result)
        #expect(try end.get() == nil)
    }
}
