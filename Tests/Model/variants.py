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
    "Faults": '{"crash", "freeze", "cut"}',
    "Length": 5, "Margin": 2, "StopDelay": 0, "Slip": 1, "BeatInterval": 1, "BeatDeadline": 1,
    "MaxAttempts": 2, "MaxRefunds": 0}
KEYS = {
    "MaxCalls": 3, "MaxTroubles": 1, "MaxAttempts": 2, "MaxRefunds": 1,
    "Interval": 1, "MaxWait": 1, "MaxViews": 0,
    "Modes": '{"superseding", "exclusive", "coalescing", "keeping", "debounced"}'}

FOLDS = {"Job": "{1, 2}", "Session": '{"a", "b"}', "Dying": '{"a"}', "MaxClaims": 3,
         "MaxVerbs": 1, "MaxSweeps": 1}

# One that has to be completed, and one that may end in any way.
WAITS = {"Pred": '{"p", "q"}', "GoesOn": '{"q"}', "Settler": '{"s", "t"}', "MaxCrashes": 1}

RATES = {"Claimer": '{"a", "b"}', "Interval": 2, "Burst": 2, "Wanted": 2, "MaxTime": 6}

LEASE_INVARIANTS = (
    "TypeOK", "OneCommitPerJob", "OnlyTheCurrentFence", "StoppedBeforeReclaim", "ChecksAreRight",
    "AloneAtWork", "EveryRunIsWatched", "AttemptsAreBounded")
KEYS_INVARIANTS = (
    "TypeOK", "OneFinalState", "NoneIsLost", "OneCommitPerJob", "OnlyTheCurrentFence",
    "NothingOfTheCancelled", "NothingSuperseded", "GenerationsGoForward", "AnswersAreTrue",
    "KeptIsWanted", "OneSuccessor", "OutdatedIsNeverPending", "NoForbiddenOverlap",
    "WaitsForSomebody", "AttemptsAreBounded", "DebounceIsBounded")

FOLDS_INVARIANTS = (
    "OneSpeaks", "HeldIsCurrent", "OneEnd", "NothingOfTheCancelled", "DoneIsDone")

WAITS_INVARIANTS = ("NoneIsEarly", "OneStart", "NobodyIsForgotten", "CancelledForAReason")

KEYS_REACHED = (
    "a running job superseded", "a late commit", "two visible commits of a key",
    "a call that another's job stands for", "all called and drained", "committed, and not told",
    "two runs of a key, one superseded")

DEEP_LEASE = {"MaxFaults": 2, "MaxRefunds": 1}
DEEP_KEYS = {"MaxTroubles": 2, "Modes": KEYS["Modes"]}
NO_DEBOUNCE = {**KEYS, "Modes": '{"superseding", "exclusive", "coalescing", "keeping"}'}

DESIGNS = [
    Check("Keys", "the design is safe, three calls", NO_DEBOUNCE, DEEP_KEYS,
          invariants=KEYS_INVARIANTS, constraints=("Witnessed",), reaches=KEYS_REACHED),
    Check("Keys", "the design is safe, two troubles", {**KEYS, "MaxCalls": 2, "MaxTroubles": 2},
          {"MaxTroubles": 3}, invariants=KEYS_INVARIANTS, constraints=("Witnessed",),
          reaches=KEYS_REACHED + ("a job discarded",)),
    Check("Keys", "callers that keep a snapshot are safe",
          {**KEYS, "MaxCalls": 2, "MaxTroubles": 2, "MaxViews": 1}, {"MaxCalls": 3},
          invariants=KEYS_INVARIANTS, constraints=("Witnessed",),
          reaches=KEYS_REACHED + ("a snapshot that is stale",
                                  "a snapshot that others leave as it is")),
    Check("Folds", "the design is safe", {**FOLDS, "Job": "{1}"}, {**FOLDS, "MaxClaims": 2},
          invariants=FOLDS_INVARIANTS, constraints=("Witnessed",),
          reaches=("a claim that finds what another one named", "a verb that meets a claim row",
                   "a claim row that is left for another round",
                   "a completion whose run was written meanwhile",
                   "a late end of a dead session", "all done, and no claim row left")),
    Check("Waits", "the design is safe", WAITS, {"Pred": '{"p", "q", "r"}'},
          invariants=WAITS_INVARIANTS, constraints=("Witnessed",),
          reaches=("an end that waits for whoever waits for it",
                   "a waiter that sees an end behind its locks", "the last two ends at once",
                   "a waiter that somebody else has locked", "a waiter that is cancelled",
                   "a transaction that is broken off", "all done")),
    Check("Rates", "the design is safe", RATES, {"Burst": 3, "Wanted": 3, "MaxTime": 9},
          invariants=("NoMoreThanItMay",), constraints=("Witnessed",),
          reaches=("a whole burst at once", "a claim that waits for another's lock",
                   "all that the rate allows", "a claim that finds no room")),
    Check("Lease", "the design is safe", LEASE, DEEP_LEASE, invariants=LEASE_INVARIANTS,
          constraints=("Witnessed",),
          reaches=("a late commit on its way", "a process that overslept",
                   "a commit after a reclaim", "an expired lease held again",
                   "an unknown run seen twice", "a good fence of a dead session",
                   "a second session of a process", "a claim sent by a dead session")),
    Check("Lease", "the design comes to an end", {**LEASE, "Faults": '{"crash"}'},
          {"Faults": LEASE["Faults"]}, "FairSpec", properties=("Drains",)),
    Check("Keys", "the design comes to an end", {**KEYS, "MaxCalls": 2}, {"MaxCalls": 3},
          "FairSpec", properties=("Drains",)),
    Check("Keys", "the design tells its runs", {**KEYS, "MaxCalls": 2}, {},
          "EndlessSpec", properties=("IsTold",)),
]


def variant(module, name, caught_by, constants, **others):
    """A variant that one invariant catches, or one property under a specification."""
    live = "specification" in others
    return Check(
        module, name, constants, broken=others.pop("broken", name), caught_by=caught_by,
        invariants=() if live else (caught_by,), properties=(caught_by,) if live else (), **others)


def keys(name, caught_by, **others):
    return variant("Keys", name, caught_by, KEYS, **others)


def keys_old(name, caught_by):
    """With callers that keep a snapshot."""
    return variant("Keys", name, caught_by, {**KEYS, "MaxCalls": 2, "MaxViews": 1},
                   broken=name.split(",")[0])


def keys_live(name, caught_by, specification):
    return variant("Keys", name, caught_by, {**KEYS, "MaxCalls": 2}, specification=specification)


def lease(name, caught_by, *faults, constants=None, **others):
    """`faults` are those that it takes: fewer, and it is found sooner."""
    kinds = "{" + ", ".join(f'"{fault}"' for fault in faults) + "}"
    return variant(
        "Lease", name, caught_by, {**LEASE, "Faults": kinds, **(constants or {})}, **others)


def folds(name, caught_by):
    return variant("Folds", name, caught_by, {**FOLDS, "Job": "{1}"})


def waits(name, caught_by):
    return variant("Waits", name, caught_by, WAITS)


def rates(name):
    return variant("Rates", name, "NoMoreThanItMay", RATES)


VARIANTS = [
    # functions/claim/claim.sql: `queue_holders`, read behind FOR NO KEY UPDATE of the queue.
    rates("the bucket is read before the lock"),
    # functions/claim/is_shut.sql: lane_room, the last line.
    rates("what is owed is not taken off"),
    # functions/claim/is_shut.sql: lane_paid.
    rates("whoever starts pays nothing"),
    # functions/claim/is_shut.sql: lane_paid, greatest(next_at, moment).
    rates("a quiet time is saved up"),
    # functions/claim/claim.sql: clock_timestamp(), once more, where it is paid.
    rates("paid from when it was looked at"),

    # functions/waits/enqueue_linked.sql: FOR KEY SHARE, and the mark's UPDATE.
    waits("whoever waits locks nobody", "NobodyIsForgotten"),
    # functions/waits/enqueue_linked.sql: `has_waiters = true`.
    waits("whoever waits marks nobody", "NobodyIsForgotten"),
    # functions/waits/enqueue_linked.sql: `keep_ends`, in a statement behind the locks.
    waits("who has ended is looked for before the locks", "NobodyIsForgotten"),
    # functions/end/end_runs.sql: `has_waiters` of the locked rows.
    waits("the mark is read before the lock", "NobodyIsForgotten"),
    # functions/waits/note_completed.sql, all but the last of those.
    waits("of ends that go together none is settled", "NobodyIsForgotten"),
    # functions/waits/settle_ends.sql: `is_after`.
    waits("what nobody else sees yet is settled", "NobodyIsForgotten"),
    # functions/waits/settle_ends.sql: `was_busy`.
    waits("a busy waiter is passed over for good", "NobodyIsForgotten"),
    # functions/waits/let_go.sql: `has_failed`.
    waits("a failed one is no reason to stay", "NoneIsEarly"),
    # functions/waits/settle_ends.sql: `j.state = 'waiting' AND j.waits_for_jobs`.
    waits("who is let go isn't asked whether he waits", "OneStart"),

    # functions/claim/fold_claim.sql: `unseen`.
    folds("two claim rows may name one job", "OneSpeaks"),
    # functions/claim/claim.sql: NOT IN folded_run, in the UPDATE behind the locks.
    folds("a claim writes unasked", "HeldIsCurrent"),
    # BegunLog.note: `firstHeld == runs.count`.
    folds("a claim is said to be over while it runs", "HeldIsCurrent"),
    # functions/finish/remove_folded.sql: `j.runs = 0 AND j.fence IS NULL`.
    folds("a completion doesn't look at the row", "NothingOfTheCancelled"),
    # functions/claim/lock_job.sql: the call of `unfold`.
    folds("a verb doesn't ask", "HeldIsCurrent"),
    # functions/claim/lock_job.sql: its place, behind the lock.
    folds("a verb asks before it locks", "HeldIsCurrent"),
    # functions/claim/settle_claims.sql: NOT EXISTS.
    folds("a claim row goes early", "HeldIsCurrent"),
    # functions/finish/reclaim_runs.sql: NOT EXISTS … claim_row.
    folds("a session is done with while claim rows speak for it", "DoneIsDone"),


    # functions/end/decide.sql: `outdated`, that is, s.floor > j.generation.
    keys("commit without the generation", "NothingSuperseded"),
    # functions/end/end_runs.sql: `AND j.fence = e.fence` where the jobs are locked.
    keys("commit without the fence", "OnlyTheCurrentFence"),
    # FencedCommit.settled: the `unknownCommit` that goes to `resolve`.
    keys("commit sent again blindly", "AnswersAreTrue"),
    # SettledEnqueue.once: the `unknownCommit` that goes to `isCommitted`.
    keys("enqueue sent again blindly", "OneFinalState"),
    # functions/enqueue/issue_generations.sql: `raises`, the floor of the upsert.
    keys("floor not raised", "NothingSuperseded"),
    # functions/enqueue/insert_jobs.sql: `OR NOT n.overlap` and its EXISTS, where a job has to wait.
    keys("supersede forgets the running one", "NoForbiddenOverlap"),
    # functions/enqueue/update_pending.sql: `j.state <> 'running'` has `waiting` in it.
    keys("coalescing leaves two successors", "OneSuccessor"),
    # functions/enqueue/find_kept.sql: `j.generation >= s.floor AND j.ending_at IS NULL`.
    keys("keeping what is on its way out", "KeptIsWanted"),
    # functions/enqueue/insert_jobs.sql and update_pending: least(…, created_at + max_wait).
    keys("debounced without a limit", "DebounceIsBounded"),
    # functions/end/apply_decisions.sql: `fence = NULL`; the state is not looked at besides.
    keys("reclaim keeps the fence", "OnlyTheCurrentFence"),
    # functions/end/decide.sql: `outdated` comes before what the run wants.
    keys("the way out doesn't look at the floor", "OutdatedIsNeverPending"),
    # functions/end/decide.sql: `newer AND e.wanted IN (…)`.
    keys("the way out doesn't look at its successor", "OneSuccessor"),
    # functions/end/decide.sql: `j.ending_at IS NOT NULL`, before everything else.
    keys("commit of what was cancelled", "NothingOfTheCancelled"),
    # functions/end/end_runs.sql: release_successors.
    keys("nobody releases the successor", "WaitsForSomebody"),
    # functions/shared/keeps_snapshot.sql: the call of require_current_jobs.
    keys_old("a snapshot is trusted with its runs", "WaitsForSomebody"),
    keys_old("a snapshot is trusted with its runs, by who keeps", "KeptIsWanted"),
    # functions/shared/keeps_snapshot.sql: the subject, `FOR NO KEY UPDATE`.
    keys_old("a snapshot is trusted with its subject", "OneSuccessor"),
    # functions/claim/claim_lanes.sql: attempt = least(j.attempt, …) + 1.
    keys("attempts counted at the end", "AttemptsAreBounded"),
    # LeaseHolder.verdicts.
    keys_live("the beat ignores its verdicts", "IsTold", "EndlessSpec"),

    # SessionKeeper.sendBeat: `sent` is read before the beat goes out.
    lease("deadline from the reply", "StoppedBeforeReclaim", "cut"),
    # LeaseRule.init: its precondition, strictly.
    lease("margin no longer than stop delay and slip", "StoppedBeforeReclaim", "cut",
          constants={"Margin": 1}, broken="nothing"),
    # SessionKeeper.sendBeat: the catch, which renews nothing.
    lease("unknown beat extends the lease", "StoppedBeforeReclaim", "cut"),
    # PeerWatch.see(_:at:): `now` is when the answer has arrived.
    lease("watched from the sending", "StoppedBeforeReclaim", "cut"),
    # WorkerCore.execute: `lease.session == run.session`, and RunRight.begin.
    lease("late claim started without a look", "StoppedBeforeReclaim", "cut"),
    # LeaseClock.isHeld(at:), behind JobContext.checkRight.
    lease("a flag instead of the clock", "ChecksAreRight", "freeze"),
    # functions/session/declare_dead.sql: `AND s.beat = watched_beat`.
    lease("death without compare-and-set", "StoppedBeforeReclaim", "cut"),
    # functions/claim/claim.sql: `s.ended_at IS NULL FOR KEY SHARE`.
    lease("a dead session claims", "EveryRunIsWatched", "freeze"),
    # functions/session/beat.sql: `AND s.ended_at IS NULL`.
    lease("a dead session comes back to life", "EveryRunIsWatched", "freeze"),
    # functions/end/end_runs.sql: the fence again, for jobs that have no generation beside it.
    lease("commit without the fence", "OneCommitPerJob", "freeze"),
    # LeaseHolder.unknownRuns: `suspects` and `openClaims`.
    lease("unknown run handed back at first sight", "AloneAtWork"),
    # LeaseHolder.claimWasLost, and the look every so many beats.
    lease("unknown run never handed back", "Drains", "cut", specification="FairSpec"),
]
