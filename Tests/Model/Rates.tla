----------------------------------- MODULE Rates ---------------------------------
(* The rate of a queue or a lane: so many starts in a time, so many at once after a quiet time    *)
(* (docs/decisions/lanes.md#rates). What is owed is one time, `next_at`: until then all starts    *)
(* are paid for, each with an interval.                                                           *)
(*                                                                                                *)
(* Left out, because it changes none of this: which jobs start, limits beside the rate, a claim   *)
(* that is rolled back (it has written nothing). Left to the tests: the clock, set back or ahead. *)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Claimer,     \* processes that claim
    Interval,    \* ticks that each start costs
    Burst,       \* so many may start at once
    Wanted,      \* so many free slots each claim has
    MaxTime, Broken

VARIABLES
    now,
    next,        \* `next_at`, as it is committed
    holder,      \* whose claim has the queue's row locked
    claim,       \* what each claim is at
    starts       \* how many started at each tick

vars == <<now, next, holder, claim, starts>>

Is(variant) == Broken = variant
Idle == [at |-> "idle", sees |-> 0, from |-> 0, take |-> 0]
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Ceil(a) == (a + Interval - 1) \div Interval

Init ==
    /\ now = 0 /\ next = 0 /\ holder = "nobody"
    /\ claim = [c \in Claimer |-> Idle]
    /\ starts = [t \in 0 .. MaxTime |-> 0]

(* is_shut.sql: lane_room                                                                         *)
Room(owedTo, moment) ==
    IF owedTo <= moment \/ Is("what is owed is not taken off") THEN Burst
    ELSE Burst - Ceil(owedTo - moment)

(* is_shut.sql: lane_paid                                                                         *)
Paid(owedTo, moment, n) ==
    IF Is("whoever starts pays nothing") THEN owedTo
    ELSE (IF Is("a quiet time is saved up") THEN owedTo ELSE Max(owedTo, moment)) + n * Interval

Begin(c) ==
    /\ claim[c] = Idle
    /\ claim' = [claim EXCEPT ![c] = [Idle EXCEPT !.at = "begun", !.sees = next]]
    /\ UNCHANGED <<now, next, holder, starts>>

Lock(c) ==
    /\ claim[c].at = "begun" /\ holder = "nobody"
    /\ holder' = c
    /\ claim' = [claim EXCEPT ![c].at = "locked"]
    /\ UNCHANGED <<now, next, starts>>

(* Behind the lock, in a statement of its own.                                                    *)
Look(c) ==
    /\ claim[c].at = "locked"
    /\ LET sees == IF Is("the bucket is read before the lock") THEN claim[c].sees ELSE next
           take == Min(Wanted, Room(sees, now))
       IN IF take > 0
          THEN /\ claim' = [claim EXCEPT ![c] =
                        [at |-> "looked", sees |-> sees, from |-> now, take |-> take]]
               /\ UNCHANGED holder
          ELSE claim' = [claim EXCEPT ![c] = Idle] /\ holder' = "nobody"
    /\ UNCHANGED <<now, next, starts>>

(* They start at some time since then; what they cost is counted from the end of the claim.       *)
Commit(c) ==
    /\ claim[c].at = "looked"
    /\ \E t \in claim[c].from .. now : starts' = [starts EXCEPT ![t] = @ + claim[c].take]
    /\ next' = Paid(claim[c].sees,
                    IF Is("paid from when it was looked at") THEN claim[c].from ELSE now,
                    claim[c].take)
    /\ claim' = [claim EXCEPT ![c] = Idle] /\ holder' = "nobody"
    /\ UNCHANGED now

Tick == now < MaxTime /\ now' = now + 1 /\ UNCHANGED <<next, holder, claim, starts>>

Next == Tick \/ \E c \in Claimer : Begin(c) \/ Lock(c) \/ Look(c) \/ Commit(c)

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------------------------------
RECURSIVE Sum(_, _)
Sum(from, to) == IF from > to THEN 0 ELSE starts[from] + Sum(from + 1, to)

(* No window of any length has more than it may.                                                  *)
NoMoreThanItMay ==
    \A a \in 0 .. MaxTime : \A b \in a .. MaxTime : Sum(a, b) <= Burst + (b - a) \div Interval

ASSUME \A n \in 1 .. 10 : TLCSet(n, 0)
Reached(n, name, holds) ==
    holds /\ TLCGet(n) = 0 => TLCSet(n, 1) /\ PrintT(<<"reached", name>>)

Witnessed ==
    /\ Reached(1, "a whole burst at once", \E t \in 0 .. MaxTime : starts[t] = Burst)
    /\ Reached(2, "a claim that waits for another's lock",
               \E c \in Claimer : claim[c].at = "begun" /\ holder \notin {c, "nobody"})
    /\ Reached(3, "all that the rate allows",
               Sum(0, MaxTime) = Burst + MaxTime \div Interval)
    /\ Reached(4, "a claim that finds no room",
               \E c \in Claimer : claim[c].at = "locked" /\ Room(next, now) <= 0)
====================================================================================================
