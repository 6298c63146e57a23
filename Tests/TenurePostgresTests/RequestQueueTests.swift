import Testing

@testable import TenurePostgres

@Suite struct RequestQueueTests {
    private struct Request: Identifiable, Equatable {
        let id: Int
    }

    private func queue(_ count: Int) -> RequestQueue<Request> {
        var queue = RequestQueue<Request>()
        for id in 0..<count { _ = queue.submit(Request(id: id)) }
        return queue
    }

    @Test func `Requests run one at a time and in order`() {
        var queue = queue(200)
        for id in 0..<200 {
            let (started, second, ended) = (
                queue.startNext(), queue.startNext(), queue.replyEnded()
            )
            #expect(started?.id == id)
            #expect(second == nil)
            #expect(ended?.id == id)
        }
        #expect(queue.unfinished.isEmpty)
    }

    @Test func `A waiting request is dropped without telling the server`() {
        var queue = queue(3)
        _ = queue.startNext()
        guard case .drop(let dropped) = queue.cancel(1) else {
            Issue.record("not dropped")
            return
        }
        #expect(dropped.id == 1)
        _ = queue.replyEnded()
        let next = queue.startNext()
        #expect(next?.id == 2)
    }

    @Test(arguments: [true, false])
    func `The next one waits for the reply and for the cancellation`(replyFirst: Bool) {
        var queue = queue(2)
        _ = queue.startNext()
        guard case .tellServer = queue.cancel(0) else {
            Issue.record("the server isn't told")
            return
        }
        if replyFirst { _ = queue.replyEnded() } else { queue.cancellationReturned() }
        let tooEarly = queue.startNext()
        #expect(tooEarly == nil)
        if replyFirst { queue.cancellationReturned() } else { _ = queue.replyEnded() }
        let next = queue.startNext()
        #expect(next?.id == 1)
    }

    @Test func `What has ended can't be cancelled, nor one thing twice`() {
        var queue = queue(1)
        _ = queue.startNext()
        _ = queue.cancel(0)
        if case .nothing = queue.cancel(0) {} else { Issue.record("cancelled twice") }
        _ = queue.replyEnded()
        if case .nothing = queue.cancel(0) {} else { Issue.record("cancelled after its end") }
    }

    @Test func `Closing gives back who ran and who never left`() {
        var queue = queue(3)
        _ = queue.startNext()
        let (running, waiting) = queue.close()
        #expect(running?.id == 0)
        #expect(waiting.map(\.id) == [1, 2])
        let isTaken = queue.submit(Request(id: 9))
        #expect(!isTaken)
    }
}
