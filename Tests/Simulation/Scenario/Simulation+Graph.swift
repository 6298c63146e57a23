import FaultSupport
import Tenure

/// A graph of jobs that wait for each other: whatever befalls the workers meanwhile, each comes to
/// the end that the graph's oracle has for it.
extension Simulation {
    func planGraph() {
        guard let graph else { return }
        world.at(0) { [self] in
            do {
                acknowledge(
                    try store.enqueue(try graph.jobs(payload: Self.payload)), isLost: false)
            } catch {
                oracle.fail("the graph is refused: \(error)")
            }
            wakeups.tell(.listening)
        }
        for (number, deed) in graph.deeds.enumerated() {
            plan { [self] in carryOut(deed, number) }
        }
        workLeft += Int64(graph.nodes.count) * 200_000_000
    }

    static func graph(of size: Int, seed: UInt64) -> JobGraph {
        JobGraph(of: size, seed: seed, queue: "first", waitsForKeys: false) { number in
            JobID(milliseconds: UInt64(number + 1), random: (0, UInt64(number + 1)))
        }
    }

    private static func payload(_ conduct: JobGraph.Conduct) -> String {
        switch conduct {
        case .plain: Payload(.quick, 0).json
        case .discarding: Payload(.discards, 0).json
        case .flaky: Payload(.fails, 1).json
        case .steady: Payload(.slow, 400).json
        }
    }

    private func carryOut(_ deed: JobGraph.Deed, _ number: Int) {
        guard let graph else { return }
        do {
            switch deed {
            case .cancel(let node):
                let job = graph.nodes[node].id
                if try store.cancel(job, by: "operator") == "cancelling" {
                    wakeups.send([Wakeup(channel: Wakeup.endings, payload: "job:\(job)")])
                }
            case .supersede(let node):
                let id = UInt64(graph.nodes.count + number + 1)
                let job = try graph.successor(
                    of: node, payload: Self.payload,
                    id: JobID(milliseconds: id, random: (0, id)))
                acknowledge(try store.enqueue([job]), isLost: false)
                wakeups.send(Wakeup.after([job]))
            }
        } catch let blocked as Blocked {
            store.transactions[blocked.transaction]?.waiters.append { [self] in
                carryOut(deed, number)
            }
        } catch {
            oracle.fail("a deed failed: \(error)")
        }
    }

    func judgeGraph() {
        guard let graph, oracle.violation == nil else { return }
        let wrong = graph.wrong(
            store.history.map { row in
                JobGraph.End(
                    id: row.job.id, key: row.job.key, outcome: row.outcome,
                    startedAt: oracle.starts[row.job.id],
                    finishedAt: oracle.finishes[row.job.id] ?? .max)
            })
        if let first = wrong.first { oracle.fail("\(wrong.count) ends are wrong: \(first)") }
    }
}
