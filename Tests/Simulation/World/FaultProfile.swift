/// How often what goes wrong, in one simulation. Chances are one in so many; 0 is never.
struct FaultProfile {
    /// Clocks run apart by at most so many millionths.
    var clockError = 0
    var stallsOneIn = 0
    var handlerStallsOneIn = 0
    var requestLostOneIn = 0
    var replyLostOneIn = 0
    var commitLostOneIn = 0
    var slowOneIn = 0
    /// The longest that a slow message takes, in microseconds.
    var slowest = 0
    var wakeupLostOneIn = 0
    var wakeupDoubledOneIn = 0

    static let none = FaultProfile()

    /// Each simulation has a few kinds of faults, some of them often: all of them at once would
    /// hide most of what happens behind dead workers.
    static func drawn(_ random: inout SeededRandom) -> FaultProfile {
        var faults = FaultProfile()
        func chance(_ random: inout SeededRandom, _ often: [Int]) -> Int {
            random.percent(60) ? random.pick(often) : 0
        }
        faults.clockError = random.pick([0, 1000, 9000])
        faults.stallsOneIn = chance(&random, [20, 100])
        faults.handlerStallsOneIn = random.percent(25) ? random.pick([5, 20]) : 0
        faults.requestLostOneIn = chance(&random, [6, 20, 60])
        faults.replyLostOneIn = chance(&random, [6, 20, 60])
        faults.commitLostOneIn = chance(&random, [2, 4, 10])
        faults.slowOneIn = chance(&random, [4, 15, 40])
        faults.slowest = random.pick([100_000, 700_000, 4_000_000])
        faults.wakeupLostOneIn = chance(&random, [1, 2, 5])
        faults.wakeupDoubledOneIn = chance(&random, [2, 5])
        return faults
    }
}
