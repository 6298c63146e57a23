import Testing

@Suite struct OneCommitPerJobTests {
    @Test(arguments: cases) func `commits are one, and the run's own`(_ one: Case) async throws {
        try await one.check()
    }

    static let cases: [Case] = [
        .caught(by: 1, "a job with two visible commits") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.transaction { world in
                world.makeVisible(run)
                world.makeVisible(run)
                world.finish(id(1), "completed")
            }
        },
        .caught(by: 1, "two jobs that commit one generation") { world in
            world.work(1) { $0.key = "a" }
            world.enqueue(2) { $0.key = "a" }
            world.transaction { $0.update("job", id(2), ["generation": 1]) }
            let run = world.start(2)
            world.transaction { world in
                // The floor is as it was: only the generation is given twice.
                world.update("subject", "a", ["committed": 1])
                world.makeVisible(run)
                world.finish(id(2), "completed")
            }
            world.lowerFloors(to: 1)
        },
        .caught(by: 1, "a commit by another fence than the row's") { world in
            world.enqueue(1)
            let old = world.start(1)
            world.release(old)
            world.start(1, by: 2)
            world.commitVisibly(old)
        },
        .caught(by: 1, "a commit of a job that is not running") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.release(run)
            world.commitVisibly(run)
        },
        .caught(by: 1, "a commit for another generation than the row's") { world in
            world.enqueue(1) { $0.key = "a" }
            world.enqueue(2) { $0.key = "a" }
            let run = world.start(2)
            world.transaction { world in
                world.makeVisible(run, ["generation": 3])
                world.update("subject", "a", ["committed": 3])
                world.finish(id(2), "completed")
            }
        },
        .caught(by: 1, "a commit below the floor") { world in
            world.enqueue(1) { $0.key = "a" }
            let run = world.start(1)
            world.enqueue(2) { $0.key = "a" }
            world.commitVisibly(run)
            world.commit(world.start(2))
        },
        .caught(by: 1, "a commit in another transaction than the job's end") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.transaction { $0.makeVisible(run) }
            world.transaction { $0.finish(id(1), "completed") }
        },
        .caught(by: 1, "a commit with an end as cancelled") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.transaction { world in
                world.makeVisible(run)
                world.finish(id(1), "cancelled")
            }
        },
        .caught(by: 1, "history that names another fence than the commit") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.transaction { world in
                world.makeVisible(run)
                world.finish(id(1), "completed", ["fence": 99])
            }
        },
        .caught(by: 1, "a completed job without a visible commit") { world in
            world.enqueue(1)
            world.start(1)
            world.transaction { $0.finish(id(1), "completed") }
        },
        .caught(by: [1, 7], "a commit whose job was deleted and has no history") { world in
            world.enqueue(1) { $0.answer = nil }
            let run = world.start(1)
            world.transaction { world in
                world.makeVisible(run)
                world.delete("job", id(1))
            }
        },
        .allowed("a commit whose follow-up supersedes its own key") { world in
            world.enqueue(1) { $0.key = "a" }
            let run = world.start(1)
            world.transaction { world in
                world.makeVisible(run)
                world.update("subject", "a", ["floor": 2, "issued": 2, "committed": 1])
                world.finish(id(1), "completed")
            }
        },
        .caught(by: 1, "history that becomes completed on its way to another partition") { world in
            world.enqueue(1)
            world.start(1)
            world.transaction { $0.finish(id(1), "cancelled") }
            world.transaction { world in
                let row = world.row("job_history", id(1))
                world.delete("job_history", id(1))
                world.insert("job_history", id(1), row.with(["outcome": "completed"]))
            }
        },
        .allowed("history that moves to the partition of its day") { world in
            world.work(1)
            world.transaction { world in
                let row = world.row("job_history", id(1))
                world.delete("job_history", id(1))
                world.insert("job_history", id(1), row)
            }
        },
        .allowed("a commit by a dead session that was not reclaimed") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.event(run, "cancelDelivered", ["reason": "leaseExpired"])
            world.pass(5.1)
            world.declareDead(1)
            world.commit(run)
        },
        .allowed("a commit whose queue keeps nothing") { world in
            world.transaction { world in
                world.insert(
                    "queue", "unkept",
                    ["name": "unkept", "max_running": nil, "keep_completed": false])
            }
            world.work(1) { $0.isUnkept = true }
        },
    ]
}

extension World {
    /// Lets no audited subject have had a higher floor.
    mutating func lowerFloors(to floor: Int) {
        for index in audit.indices where audit[index]["table"] == "subject" {
            for side in ["old", "new"] {
                guard case .object(let row)? = audit[index][side] else { continue }
                audit[index][side] = row.with(["floor": .integer(floor)]).value
            }
        }
        finalEdit = { rows in
            rows.map { line in
                guard line["table"] == "subject", case .object(let row)? = line["row"] else {
                    return line
                }
                return line.with(["row": row.with(["floor": .integer(floor)]).value])
            }
        }
    }
}
