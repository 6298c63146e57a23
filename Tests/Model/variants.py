"""What is checked: the designs, and what becomes of them when one thing is left out.

Each variant names what has to catch it, and the line of the product that it leaves out."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Check:
    module: str
    name: str
    constants: dict
    deep: dict = field(default_factory=dict)
    specification: str = "Spec"
    invariants: tuple = ()
    properties: tuple = ()
    constraints: tuple = ()
    broken: str = "nothing"
    caught_by: str = ""
    reaches: tuple = ()


# Length 6 and the rest in its proportions, but for the margin: it has to be longer than
# StopDelay + Slip, and a tick is the smallest slip there is.
LEASE = {
    "Process": "{w1, w2}", "Watcher": "{w2}", "Faulty": "{w1}", "MaxFaults": 1,
    "Length": 6, "Margin": 3, "StopDelay": 1, "Slip": 1, "BeatInterval": 1, "BeatDeadline": 1,
    "MaxAttempts": 2, "MaxRefunds": 0}
KEYS = {
    "MaxCalls": 3, "MaxTroubles": 1, "MaxAttempts": 2, "MaxRefunds": 1,
    "Interval": 1, "MaxWait": 1,
    "Modes": '{"superseding", "exclusive", "coalescing", "keeping", "debounced"}'}

LEASE_INVARIANTS = (
    "TypeOK", "OneCommitPerJob", "OnlyTheCurrentFence", "StoppedBeforeReclaim", "ChecksAreRight",
    "AloneAtWork", "EveryRunIsWatched", "AttemptsAreBounded")
KEYS_INVARIANTS = (
    "TypeOK", "OneFinalState", "NoneIsLost", "OneCommitPerJob", "OnlyTheCurrentFence",
    "NothingOfTheCancelled", "NothingSuperseded", "GenerationsGoForward", "AnswersAreTrue",
    "OneSuccessor", "OutdatedIsNeverPending", "NoForbiddenOverlap", "WaitsForSomebody",
    "AttemptsAreBounded", "DebounceIsBounded")

DESIGNS = [
    Check("Keys", "the design is safe", KEYS, invariants=KEYS_INVARIANTS),
]


def keys(name, caught_by, **constants):
    """A variant of Keys that one invariant catches."""
    return Check("Keys", name, {**KEYS, **constants}, broken=name, invariants=(caught_by,),
                 caught_by=caught_by)


def keys_live(name, caught_by, specification, **constants):
    """A variant of Keys that never comes to an end it has to come to."""
    return Check("Keys", name, {**KEYS, **constants}, broken=name, properties=(caught_by,),
                 specification=specification, caught_by=caught_by)


def lease(name, caught_by, **constants):
    return Check("Lease", name, {**LEASE, **constants}, broken=name, invariants=(caught_by,),
                 caught_by=caught_by)


def lease_live(name, caught_by, **constants):
    return Check("Lease", name, {**LEASE, **constants}, broken=name, properties=(caught_by,),
                 specification="FairSpec", caught_by=caught_by)


VARIANTS = [
    keys("commit without the generation", "NothingSuperseded"),
    keys("commit without the fence", "OneCommitPerJob"),
    keys("commit sent again blindly", "AnswersAreTrue"),
    keys("floor not raised", "NothingSuperseded"),
    keys("supersede forgets the running one", "NoForbiddenOverlap"),
    keys("enqueue sent again blindly", "OneFinalState"),
    keys("reclaim keeps the fence", "OnlyTheCurrentFence"),
    keys("coalescing leaves two successors", "OneSuccessor"),
    keys("the way out doesn't look at the floor", "OutdatedIsNeverPending"),
    keys("the way out doesn't look at its successor", "OneSuccessor"),
    keys("attempts counted at the end", "AttemptsAreBounded"),
    keys("debounced without a limit", "DebounceIsBounded"),
    keys("nobody releases the successor", "WaitsForSomebody"),
    keys_live("the beat ignores its verdicts", "IsTold", "EndlessSpec", MaxCalls=2),
    lease("deadline from the reply", "StoppedBeforeReclaim"),
    lease("commit without the fence", "OnlyTheCurrentFence"),
    lease("unknown beat extends the lease", "StoppedBeforeReclaim"),
    lease("watched from the sending", "StoppedBeforeReclaim"),
    lease("late claim started without a look", "StoppedBeforeReclaim"),
    lease("death without compare-and-set", "StoppedBeforeReclaim"),
    lease("a dead session claims", "EveryRunIsWatched"),
    lease("a dead session comes back to life", "EveryRunIsWatched"),
]
