----------------------------------- MODULE Waits ---------------------------------
(* A job that waits for others: who waits, who ends, who settles (docs/decisions/after.md).       *)
(*                                                                                                *)
(* A step is what one statement does between its snapshot and its locks, or behind them; a commit *)
(* shows what was written and lets go of the locks in one step. Whoever ends a job settles its    *)
(* end in a transaction after that, or within it, as the last thing (`inside`).                   *)
(*                                                                                                *)
(* Left out, because it changes none of this: keys (a row stands for one, with its end), chains   *)
(* (a waiter that is cancelled ends as any job does), bites of a thousand edges, what history     *)
(* drops, and the net that looks for what no statement leaves.                                    *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Pred,        \* the jobs that are waited for
    GoesOn,      \* those of them that may end in any way: `.ended`
    Settler,     \* processes that settle what is not settled: workers, and the look each 5 s
    MaxCrashes,  \* how many transactions are broken off
    Broken       \* the variant, or "nothing"

VARIABLES
    row,         \* of each: whether it is there, and whether it is marked (`has_waiters`)
    past,        \* how it ended, as history has it
    end,         \* how it ended, as `job_end` has it
    settled,     \* whether that is settled
    entry,       \* the transaction that enqueues the waiter
    waiter,      \* unborn, waiting, available, started, cancelled
    holder,      \* who has the waiter's row locked
    act,         \* what each is at: whoever ends a job, and whoever settles an end
    starts, crashes

vars == <<row, past, end, settled, entry, waiter, holder, act, starts, crashes>>

Is(variant) == Broken = variant
Actor == Pred \cup Settler
None == "none"
Idle == [at |-> "idle", job |-> None, how |-> None, inside |-> FALSE, marked |-> FALSE,
         busy |-> FALSE, sees |-> None]

Init ==
    /\ row = [p \in Pred |-> [here |-> TRUE, mark |-> FALSE]]
    /\ past = [p \in Pred |-> None] /\ end = [p \in Pred |-> None]
    /\ settled = [p \in Pred |-> FALSE]
    /\ entry = [at |-> "idle", locks |-> {}, sees |-> [p \in Pred |-> None]]
    /\ waiter = "unborn" /\ holder = "nobody"
    /\ act = [a \in Actor |-> Idle] /\ starts = 0 /\ crashes = 0

----------------------------------------------------------------------------------------------------
(* enqueue_linked.sql                                                                             *)

HasEnded == [p \in Pred |-> IF row[p].here THEN None ELSE past[p]]

BeginEntry ==
    /\ entry.at = "idle"
    /\ entry' = [entry EXCEPT !.at = "begun", !.sees = HasEnded]
    /\ UNCHANGED <<row, past, end, settled, waiter, holder, act, starts, crashes>>

(* Who is there is locked, and marked; who is just being ended is waited for.                     *)
LockNeeds ==
    /\ entry.at = "begun"
    /\ \/ Is("whoever waits locks nobody")
       \/ \A p \in Pred : row[p].here => act[p].at \in {"idle", "begun"}
    /\ entry' = [entry EXCEPT !.at = "locked",
            !.locks = IF Is("whoever waits locks nobody") THEN {} ELSE {p \in Pred : row[p].here}]
    /\ UNCHANGED <<row, past, end, settled, waiter, holder, act, starts, crashes>>

(* A statement of its own, behind the locks.                                                      *)
LookBack ==
    /\ entry.at = "locked"
    /\ entry' = [entry EXCEPT !.at = "seen",
            !.sees = IF Is("who has ended is looked for before the locks") THEN @ ELSE HasEnded]
    /\ UNCHANGED <<row, past, end, settled, waiter, holder, act, starts, crashes>>

Fails(sees, p) == p \notin GoesOn /\ sees[p] = "failed"

CommitEntry ==
    /\ entry.at = "seen"
    /\ entry' = [entry EXCEPT !.at = "committed", !.locks = {}]
    /\ row' = [p \in Pred |-> [row[p] EXCEPT !.mark =
            @ \/ (p \in entry.locks /\ ~Is("whoever waits marks nobody"))]]
    /\ end' = [p \in Pred |-> IF end[p] = None THEN entry.sees[p] ELSE end[p]]
    /\ settled' = [p \in Pred |-> settled[p] \/ (end[p] = None /\ entry.sees[p] # None)]
    /\ waiter' = IF \E p \in Pred : Fails(entry.sees, p) THEN "cancelled"
                 ELSE IF \A p \in Pred : entry.sees[p] # None THEN "available"
                 ELSE "waiting"
    /\ UNCHANGED <<past, holder, act, starts, crashes>>

----------------------------------------------------------------------------------------------------
(* end_runs.sql, move_pending.sql: the mark is read from the row that is locked, or deleted.      *)

BeginEnd(p) ==
    /\ act[p] = Idle /\ row[p].here
    /\ \E how \in {"completed", "failed"}, inside \in BOOLEAN :
        act' = [act EXCEPT ![p] = [Idle EXCEPT !.at = "begun", !.job = p, !.how = how,
                                               !.inside = inside, !.marked = row[p].mark]]
    /\ UNCHANGED <<row, past, end, settled, entry, waiter, holder, starts, crashes>>

LockRow(p) ==
    /\ act[p].at = "begun" /\ p \notin entry.locks
    /\ act' = [act EXCEPT ![p].at = "locked", ![p].sees = [end EXCEPT ![p] = act[p].how],
            ![p].marked = IF Is("the mark is read before the lock") THEN @ ELSE row[p].mark]
    /\ UNCHANGED <<row, past, end, settled, entry, waiter, holder, starts, crashes>>

SettlesInside(p) == act[p].inside /\ act[p].marked

CommitEnd(p) ==
    /\ act[p].at = "locked" /\ ~SettlesInside(p)
    /\ row' = [row EXCEPT ![p].here = FALSE]
    /\ past' = [past EXCEPT ![p] = act[p].how]
    /\ end' = IF act[p].marked THEN [end EXCEPT ![p] = act[p].how] ELSE end
    /\ act' = [act EXCEPT ![p] = Idle]
    /\ UNCHANGED <<settled, entry, waiter, holder, starts, crashes>>

(* complete_group.sql, `note_completed`: one transaction ends both, and nobody but the one waiter *)
(* waits for them. The end of one is settled for both.                                            *)
CommitEnds(p, q) ==
    /\ p # q /\ \A o \in {p, q} :
        act[o].at = "locked" /\ act[o].how = "completed" /\ act[o].marked /\ ~act[o].inside
    /\ row' = [row EXCEPT ![p].here = FALSE, ![q].here = FALSE]
    /\ past' = [past EXCEPT ![p] = "completed", ![q] = "completed"]
    /\ end' = [end EXCEPT ![p] = "completed", ![q] = "completed"]
    /\ settled' = [settled EXCEPT ![p] = TRUE,
                                  ![q] = Is("of ends that go together none is settled")]
    /\ act' = [act EXCEPT ![p] = Idle, ![q] = Idle]
    /\ UNCHANGED <<entry, waiter, holder, starts, crashes>>

----------------------------------------------------------------------------------------------------
(* settle_ends.sql, by whoever settles afterwards, and by whoever has just ended a job.           *)

Pick(s, p) ==
    /\ act[s] = Idle /\ end[p] # None /\ ~settled[p]
    /\ \A o \in Settler : act[o].job # p
    /\ act' = [act EXCEPT ![s] = [Idle EXCEPT !.at = "locked", !.job = p, !.how = end[p],
                                               !.sees = end]]
    /\ UNCHANGED <<row, past, end, settled, entry, waiter, holder, starts, crashes>>

MaySettle(a) == a \in Settler \/ SettlesInside(a)

(* What it sees: what is committed, and what it has written itself.                               *)
Seen(a) == [end EXCEPT ![act[a].job] = act[a].how]

(* One that has another to wait for yet, as it looks, is not locked. Where the end is committed,  *)
(* whoever ends that other sees it; where it is this transaction's own, nobody does before its    *)
(* commit, and it stays to be settled.                                                            *)
Peek(a) ==
    /\ act[a].at = "locked" /\ MaySettle(a)
    /\ LET idle == ~Fails(Seen(a), act[a].job) /\ \E q \in Pred : Seen(a)[q] = None
       IN act' = [act EXCEPT ![a].at = IF idle THEN "looked" ELSE "peeked",
            ![a].busy = /\ idle /\ a \notin Settler
                        /\ ~Is("what nobody else sees yet is settled")]
    /\ UNCHANGED <<row, past, end, settled, entry, waiter, holder, starts, crashes>>

(* The waiter is locked, if it waits; whoever finds it locked comes again.                        *)
LockWaiter(a) ==
    /\ act[a].at = "peeked"
    /\ LET waits == \/ waiter = "waiting"
                    \/ /\ Is("who is let go isn't asked whether he waits")
                       /\ waiter \in {"available", "started"}
       IN /\ holder' = IF waits /\ holder = "nobody" THEN a ELSE holder
          /\ act' = [act EXCEPT ![a].at = "has waiter", ![a].busy = waits /\ holder # "nobody"]
    /\ UNCHANGED <<row, past, end, settled, entry, waiter, starts, crashes>>

(* A statement behind the lock.                                                                   *)
LookAtEnds(a) ==
    /\ act[a].at = "has waiter"
    /\ act' = [act EXCEPT ![a].at = "looked",
            ![a].sees = Seen(a)]
    /\ UNCHANGED <<row, past, end, settled, entry, waiter, holder, starts, crashes>>

(* One that waited for another that failed is left to whoever settles that end.                   *)
Becomes(sees, p) ==
    IF Fails(sees, p) THEN "cancelled"
    ELSE IF \E q \in Pred : sees[q] = None THEN waiter
    ELSE IF \E q \in Pred : Fails(sees, q) /\ ~Is("a failed one is no reason to stay")
    THEN waiter ELSE "available"

CommitSettle(a) ==
    /\ act[a].at = "looked"
    /\ LET p == act[a].job
       IN /\ waiter' = IF holder = a THEN Becomes(act[a].sees, p) ELSE waiter
          /\ settled' = [settled EXCEPT ![p] =
                ~act[a].busy \/ Is("a busy waiter is passed over for good")]
          /\ end' = [end EXCEPT ![p] = act[a].how]
          /\ row' = IF a \in Pred THEN [row EXCEPT ![p].here = FALSE] ELSE row
          /\ past' = IF a \in Pred THEN [past EXCEPT ![p] = act[a].how] ELSE past
    /\ holder' = IF holder = a THEN "nobody" ELSE holder
    /\ act' = [act EXCEPT ![a] = Idle]
    /\ UNCHANGED <<entry, starts, crashes>>

(* Nothing of a transaction that is broken off is there.                                          *)
Crash(a) ==
    /\ act[a] # Idle /\ crashes < MaxCrashes
    /\ crashes' = crashes + 1
    /\ holder' = IF holder = a THEN "nobody" ELSE holder
    /\ act' = [act EXCEPT ![a] = Idle]
    /\ UNCHANGED <<row, past, end, settled, entry, waiter, starts>>

(* A worker claims it. A claim passes over who is locked.                                         *)
Start ==
    /\ waiter = "available" /\ holder = "nobody"
    /\ waiter' = "started" /\ starts' = starts + 1
    /\ UNCHANGED <<row, past, end, settled, entry, holder, act, crashes>>

Next ==
    \/ BeginEntry \/ LockNeeds \/ LookBack \/ CommitEntry \/ Start
    \/ \E p \in Pred : BeginEnd(p) \/ LockRow(p) \/ CommitEnd(p)
    \/ \E p, q \in Pred : CommitEnds(p, q)
    \/ \E s \in Settler, p \in Pred : Pick(s, p)
    \/ \E a \in Actor : Peek(a) \/ LockWaiter(a) \/ LookAtEnds(a) \/ CommitSettle(a) \/ Crash(a)

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------------------------------
Ended(p) == past[p] # None

(* None starts before all that it waits for is over, nor where one of those failed.               *)
NoneIsEarly ==
    starts > 0 => \A p \in Pred : Ended(p) /\ (p \in GoesOn \/ past[p] = "completed")

OneStart == starts <= 1

(* Where nobody is at anything, a waiter that waits has somebody to wait for, or an end that is    *)
(* still to be settled.                                                                           *)
NobodyIsForgotten ==
    (waiter = "waiting" /\ (\A a \in Actor : act[a] = Idle))
        => \E p \in Pred : row[p].here \/ (end[p] # None /\ ~settled[p])

(* What was to fail is cancelled, in the end, and nothing else.                                   *)
CancelledForAReason ==
    waiter = "cancelled" => \E p \in Pred : Fails(past, p) \/ act[p].how = "failed"

ASSUME \A n \in 1 .. 10 : TLCSet(n, 0)
Reached(n, name, holds) ==
    holds /\ TLCGet(n) = 0 => TLCSet(n, 1) /\ PrintT(<<"reached", name>>)

Witnessed ==
    /\ Reached(1, "an end that waits for whoever waits for it",
               \E p \in Pred : act[p].at = "begun" /\ p \in entry.locks)
    /\ Reached(2, "a waiter that sees an end behind its locks",
               entry.at = "seen" /\ \E p \in Pred : entry.sees[p] # None)
    /\ Reached(3, "the last two ends at once",
               \A p \in Pred : act[p].at \in {"peeked", "has waiter", "looked"})
    /\ Reached(4, "a waiter that somebody else has locked", \E a \in Actor : act[a].busy)
    /\ Reached(5, "a waiter that is cancelled", waiter = "cancelled" /\ entry.at = "committed")
    /\ Reached(6, "a transaction that is broken off", crashes > 0)
    /\ Reached(8, "two ends that go together, with one to settle",
               \E p, q \in Pred : /\ p # q /\ end[p] = "completed" /\ end[q] = "completed"
                                 /\ settled[p] /\ ~settled[q] /\ waiter = "waiting"
                                 /\ \A a \in Actor : act[a] = Idle)
    /\ Reached(7, "all done", starts = 1 /\ \A p \in Pred : Ended(p))
====================================================================================================
