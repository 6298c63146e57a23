----------------------------------- MODULE Folds ---------------------------------
(* Claim rows: one row speaks for the plain jobs of a claim, whose own rows stay as they are      *)
(* (docs/decisions/claim-rows.md). Who sees what, when: a statement's snapshot, then its locks.   *)
(*                                                                                                *)
(* A step is what one statement does between its snapshot and its locks, or behind them; a commit *)
(* shows what was written and lets go of the locks in one step, in the order of the server.       *)
(*                                                                                                *)
(* Left out, because it changes none of this:                                                     *)
(*   keys, lanes, limits, batches: such jobs are never folded;                                    *)
(*   places (they are hints), positions, ids that come back (`made` tells them apart);            *)
(*   what a run's end makes of its job: here a job completes, is cancelled, or waits again;       *)
(*   leases: a session may die at any moment, and its handlers go on. Lease.tla says when.        *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Job,
    Session,
    Dying,          \* the sessions that may die
    MaxClaims,      \* by all of them
    MaxVerbs,       \* cancels by an operator
    MaxSweeps,
    Broken          \* the variant: "nothing", or what of the design is left out

VARIABLES
    row,            \* the jobs' own rows, as committed
    claims,         \* the claim rows, as committed
    lock,           \* who has a job's row locked
    claim, ending, verb, sweep,     \* how far each transaction is
    held,           \* the runs that workers know of and have not ended: session, job, number
    known,          \* the numbers of the claims whose answers have come
    owner,          \* whose claim a number was
    dead, done,     \* sessions that are over, and those that are reclaimed
    history,        \* how each job ended: once, if all is well
    wrong,          \* ghost: a job completed that was cancelled before
    verbs, sweeps

vars == <<row, claims, lock, claim, ending, verb, sweep, held, known, owner, dead, done, history,
          wrong, verbs, sweeps>>

Is(variant) == Broken = variant
None == 0
Numbers == DOMAIN owner
Idle == [at |-> "idle"]
Row == [here |-> TRUE, runs |-> 0, fence |-> None, ending |-> FALSE]

(* What claim rows of a set say of a job: only of one that never ran.                             *)
Speaking(rows, j) == {c \in rows : j \in c.jobs}
IsPlain(r) == r.here /\ r.runs = 0 /\ r.fence = None
Current(j) ==
    IF row[j].fence # None THEN {row[j].fence}
    ELSE IF IsPlain(row[j]) THEN {c.number : c \in Speaking(claims, j)} ELSE {}

Init ==
    /\ row = [j \in Job |-> Row]
    /\ claims = {}
    /\ lock = [j \in Job |-> "nobody"]
    /\ claim = [s \in Session |-> Idle]
    /\ ending = [s \in Session |-> Idle]
    /\ verb = Idle /\ sweep = Idle
    /\ held = {} /\ known = {} /\ owner = <<>>
    /\ dead = {} /\ done = {}
    /\ history = [j \in Job |-> <<>>]
    /\ wrong = FALSE
    /\ verbs = 0 /\ sweeps = 0

Let(who, l) == [j \in Job |-> IF l[j] = who THEN "nobody" ELSE l[j]]
Take(who, jobs) == [j \in Job |-> IF j \in jobs THEN who ELSE lock[j]]

----------------------------------------------------------------------------------------------------
(* claim.sql: the scan has its snapshot …                                                         *)
Scan(s) ==
    /\ claim[s] = Idle /\ s \notin dead /\ Len(owner) < MaxClaims
    /\ claim' = [claim EXCEPT ![s] = [at |-> "scanned", seen |-> claims, view |-> row]]
    /\ UNCHANGED <<row, claims, lock, ending, verb, sweep, held, known, owner, dead, done, history,
                   wrong, verbs, sweeps>>

(* … and locks what it finds, passing by what others have locked. A row that was changed since is *)
(* looked at again, with the same snapshot of all others.                                         *)
Lock(s) ==
    /\ claim[s].at = "scanned"
    /\ LET seen == claim[s].seen
           mayTake(r, j) == r.here /\ r.fence = None /\ ~r.ending
                            /\ (r.runs > 0 \/ Speaking(seen, j) = {})
           free == {j \in Job : /\ lock[j] = "nobody"
                                /\ mayTake(claim[s].view[j], j) /\ mayTake(row[j], j)}
       IN /\ free # {}
          /\ \E jobs \in SUBSET free \ {{}} :
              /\ lock' = Take(s, jobs)
              /\ claim' = [claim EXCEPT ![s] = [at |-> "locked", seen |-> seen, jobs |-> jobs]]
    /\ UNCHANGED <<row, claims, ending, verb, sweep, held, known, owner, dead, done, history, wrong,
                   verbs, sweeps>>

GiveUp(s) ==
    /\ claim[s].at = "scanned"
    /\ claim' = [claim EXCEPT ![s] = Idle]
    /\ UNCHANGED <<row, claims, lock, ending, verb, sweep, held, known, owner, dead, done, history,
                   wrong, verbs, sweeps>>

(* fold_claim.sql, and the UPDATE of those that are claimed one by one: both ask behind the locks.*)
Ask(s, folds) ==
    /\ claim[s].at = "locked"
    /\ LET unseen == claims \ claim[s].seen
           asks == /\ ~Is("two claim rows may name one job")
                   /\ folds \/ ~Is("a claim writes unasked")
           jobs == {j \in claim[s].jobs :
                       ~(asks /\ row[j].runs = 0 /\ Speaking(unseen, j) # {})}
           plain == IF folds THEN {j \in jobs : row[j].runs = 0} ELSE {}
       IN claim' = [claim EXCEPT ![s] =
              [at |-> "asked", folded |-> plain, written |-> jobs \ plain]]
    /\ UNCHANGED <<row, claims, lock, ending, verb, sweep, held, known, owner, dead, done, history,
                   wrong, verbs, sweeps>>

CommitClaim(s, isAnswered) ==
    /\ claim[s].at = "asked"
    /\ LET n == Len(owner) + 1
           jobs == claim[s].folded \cup claim[s].written
       IN IF jobs = {}
          THEN UNCHANGED <<row, claims, held, known, owner>>
          ELSE /\ n <= MaxClaims
               /\ owner' = Append(owner, s)
               /\ claims' = IF claim[s].folded = {} THEN claims
                            ELSE claims \cup {[number |-> n, jobs |-> claim[s].folded]}
               /\ row' = [j \in Job |-> IF j \in claim[s].written
                                        THEN [row[j] EXCEPT !.runs = 1, !.fence = n] ELSE row[j]]
               /\ held' = IF isAnswered THEN held \cup {<<s, j, n>> : j \in jobs} ELSE held
               /\ known' = IF isAnswered THEN known \cup {n} ELSE known
    /\ lock' = Let(s, lock)
    /\ claim' = [claim EXCEPT ![s] = Idle]
    /\ UNCHANGED <<ending, verb, sweep, dead, done, history, wrong, verbs, sweeps>>

(* The session says which of its claims are over, and they go: claim.sql, `over`.                 *)
Over(s) ==
    /\ \E c \in claims :
        /\ owner[c.number] = s /\ c.number \in known
        /\ \/ \A j \in Job : <<s, j, c.number>> \notin held
           \/ Is("a claim is said to be over while it runs")
        /\ claims' = claims \ {c}
    /\ UNCHANGED <<row, lock, claim, ending, verb, sweep, held, known, owner, dead, done, history,
                   wrong, verbs, sweeps>>

----------------------------------------------------------------------------------------------------
(* complete_group.sql: which claim rows there are, in a statement of its own …                     *)
BeginEnd(s, j, n) ==
    /\ ending[s] = Idle /\ <<s, j, n>> \in held
    /\ ending' = [ending EXCEPT ![s] = [at |-> "begun", job |-> j, number |-> n,
                                        folds |-> \E c \in claims : c.number = n]]
    /\ UNCHANGED <<row, claims, lock, claim, verb, sweep, held, known, owner, dead, done, history,
                   wrong, verbs, sweeps>>

(* … then by place, where the row is as it was when it was claimed (remove_folded.sql); else by   *)
(* the fence. A lock is waited for.                                                               *)
Removes(s) ==
    LET e == ending[s] IN
    \/ e.folds /\ (IsPlain(row[e.job]) \/ Is("a completion doesn't look at the row"))
    \/ row[e.job].fence = e.number /\ ~row[e.job].ending
Ended(j, outcome) ==
    /\ row' = [row EXCEPT ![j].here = FALSE, ![j].fence = None]
    /\ history' = [history EXCEPT ![j] = Append(@, outcome)]

End(s) ==
    /\ ending[s].at = "begun"
    /\ LET e == ending[s] IN
       /\ lock[e.job] = "nobody"
       /\ held' = held \ {<<s, e.job, e.number>>}
       /\ IF row[e.job].here /\ Removes(s)
          THEN /\ Ended(e.job, "completed")
               /\ wrong' = (wrong \/ row[e.job].ending)
          ELSE IF row[e.job].here /\ row[e.job].fence = e.number /\ row[e.job].ending
          THEN /\ Ended(e.job, "cancelled") /\ UNCHANGED wrong
          ELSE UNCHANGED <<row, history, wrong>>      \* late
    /\ ending' = [ending EXCEPT ![s] = Idle]
    /\ UNCHANGED <<claims, lock, claim, verb, sweep, known, owner, dead, done, verbs, sweeps>>

(* It goes back unfinished: the run is written on its row first (unfold.sql).                     *)
HandBack(s, j, n) ==
    /\ <<s, j, n>> \in held /\ lock[j] = "nobody"
    /\ held' = held \ {<<s, j, n>>}
    /\ IF row[j].here /\ n \in Current(j)
       THEN IF row[j].ending
            THEN Ended(j, "cancelled")
            ELSE /\ row' = [row EXCEPT ![j].runs = 1, ![j].fence = None] /\ UNCHANGED history
       ELSE UNCHANGED <<row, history>>
    /\ UNCHANGED <<claims, lock, claim, ending, verb, sweep, known, owner, dead, done, wrong, verbs,
                   sweeps>>

----------------------------------------------------------------------------------------------------
(* An operator cancels: lock_job.sql locks, and then asks which claim rows there are.             *)
BeginVerb(j) ==
    /\ verb = Idle /\ verbs < MaxVerbs
    /\ verb' = [at |-> "called", job |-> j, seen |-> claims]
    /\ verbs' = verbs + 1
    /\ UNCHANGED <<row, claims, lock, claim, ending, sweep, held, known, owner, dead, done, history,
                   wrong, sweeps>>

LockVerb ==
    /\ verb.at = "called" /\ lock[verb.job] = "nobody"
    /\ IF row[verb.job].here
       THEN /\ lock' = Take("verb", {verb.job})
            /\ verb' = [verb EXCEPT !.at = "locked"]
       ELSE verb' = Idle /\ UNCHANGED lock
    /\ UNCHANGED <<row, claims, claim, ending, sweep, held, known, owner, dead, done, history,
                   wrong, verbs, sweeps>>

Cancel ==
    /\ verb.at = "locked"
    /\ LET j == verb.job
           asked == IF Is("a verb doesn't ask") THEN {}
                    ELSE IF Is("a verb asks before it locks") THEN verb.seen ELSE claims
           speaking == IF IsPlain(row[j]) THEN Speaking(asked, j) ELSE {}
       IN IF speaking # {}
          THEN /\ row' = [row EXCEPT ![j].runs = 1, ![j].ending = TRUE,
                                     ![j].fence = (CHOOSE c \in speaking : TRUE).number]
               /\ UNCHANGED history
          ELSE IF row[j].fence # None
          THEN row' = [row EXCEPT ![j].ending = TRUE] /\ UNCHANGED history
          ELSE Ended(j, "cancelled")
    /\ lock' = Let("verb", lock)
    /\ verb' = Idle
    /\ UNCHANGED <<claims, claim, ending, sweep, held, known, owner, dead, done, wrong, verbs,
                   sweeps>>

----------------------------------------------------------------------------------------------------
(* settle_claims.sql, by the sweep or for a dead session: what the claim rows say is read …       *)
BeginSweep ==
    /\ sweep = Idle /\ sweeps < MaxSweeps
    /\ \E some \in SUBSET claims \ {{}} :
        sweep' = [at |-> "read", claims |-> some, jobs |-> {}]
    /\ sweeps' = sweeps + 1
    /\ UNCHANGED <<row, claims, lock, claim, ending, verb, held, known, owner, dead, done, history,
                   wrong, verbs>>

(* … those that nobody has locked are …                                                           *)
LockSweep ==
    /\ sweep.at = "read"
    /\ LET jobs == {j \in Job : /\ lock[j] = "nobody" /\ IsPlain(row[j])
                                /\ Speaking(sweep.claims, j) # {}}
       IN /\ lock' = Take("sweep", jobs)
          /\ sweep' = [sweep EXCEPT !.at = "locked", !.jobs = jobs]
    /\ UNCHANGED <<row, claims, claim, ending, verb, held, known, owner, dead, done, history, wrong,
                   verbs, sweeps>>

(* … and are written; a claim row goes that speaks for none any more.                             *)
Write ==
    /\ sweep.at = "locked"
    /\ row' = [j \in Job |->
            IF j \notin sweep.jobs THEN row[j]
            ELSE [row[j] EXCEPT !.runs = 1,
                      !.fence = (CHOOSE c \in Speaking(sweep.claims, j) : TRUE).number]]
    /\ claims' = claims \ {c \in sweep.claims :
            \/ Is("a claim row goes early")
            \/ \A j \in c.jobs : j \in sweep.jobs \/ ~IsPlain(row[j])}
    /\ lock' = Let("sweep", lock)
    /\ sweep' = Idle
    /\ UNCHANGED <<claim, ending, verb, held, known, owner, dead, done, history, wrong, verbs,
                   sweeps>>

(* A claim under way keeps its session from being declared dead.                                  *)
Die(s) ==
    /\ s \in Dying \ dead /\ claim[s] = Idle
    /\ dead' = dead \cup {s}
    /\ UNCHANGED <<row, claims, lock, claim, ending, verb, sweep, held, known, owner, done, history,
                   wrong, verbs, sweeps>>

(* reclaim_runs.sql, for what has a row of its own.                                               *)
Reclaim(j) ==
    /\ lock[j] = "nobody" /\ row[j].fence # None /\ owner[row[j].fence] \in dead
    /\ IF row[j].ending
       THEN Ended(j, "cancelled")
       ELSE row' = [row EXCEPT ![j].fence = None] /\ UNCHANGED history
    /\ UNCHANGED <<claims, lock, claim, ending, verb, sweep, held, known, owner, dead, done, wrong,
                   verbs, sweeps>>

OfSession(s) == {c \in claims : owner[c.number] = s}
Finish(s) ==
    /\ s \in dead \ done
    /\ \A j \in Job : row[j].fence # None => owner[row[j].fence] # s
    /\ OfSession(s) = {} \/ Is("a session is done with while claim rows speak for it")
    /\ done' = done \cup {s}
    /\ UNCHANGED <<row, claims, lock, claim, ending, verb, sweep, held, known, owner, dead, history,
                   wrong, verbs, sweeps>>

Next ==
    \/ \E s \in Session :
        \/ Scan(s) \/ Lock(s) \/ GiveUp(s)
        \/ \E folds \in BOOLEAN : Ask(s, folds)
        \/ \E isAnswered \in BOOLEAN : CommitClaim(s, isAnswered)
        \/ Over(s) \/ End(s) \/ Die(s) \/ Finish(s)
        \/ \E j \in Job, n \in Numbers : BeginEnd(s, j, n) \/ HandBack(s, j, n)
    \/ \E j \in Job : BeginVerb(j) \/ Reclaim(j)
    \/ LockVerb \/ Cancel
    \/ BeginSweep \/ LockSweep \/ Write

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------------------------------
(* A job that never ended runs for one claim at most.                                             *)
OneSpeaks == \A j \in Job : row[j].here => Cardinality(Current(j)) <= 1

(* What a live session believes to run does: nobody cancels or claims it underneath.              *)
HeldIsCurrent ==
    \A h \in held : h[1] \in dead \/ (row[h[2]].here /\ h[3] \in Current(h[2]))

OneEnd == \A j \in Job : Len(history[j]) = IF row[j].here THEN 0 ELSE 1

NothingOfTheCancelled == ~wrong

(* Nothing is left in the name of who is done with.                                               *)
DoneIsDone == \A s \in done : \A c \in OfSession(s) : \A j \in c.jobs : ~IsPlain(row[j])

ASSUME \A n \in 1 .. 10 : TLCSet(n, 0)
Reached(n, name, holds) ==
    holds /\ TLCGet(n) = 0 => TLCSet(n, 1) /\ PrintT(<<"reached", name>>)

Witnessed ==
    /\ Reached(1, "a claim that finds what another one named",
               \E s \in Session : claim[s].at = "locked"
                   /\ \E j \in claim[s].jobs : Speaking(claims \ claim[s].seen, j) # {})
    /\ Reached(2, "a verb that meets a claim row", verb.at = "locked" /\ IsPlain(row[verb.job])
                                                  /\ Speaking(claims, verb.job) # {})
    /\ Reached(3, "a claim row that is left for another round",
               sweep.at = "locked" /\ \E c \in sweep.claims : \E j \in c.jobs :
                   IsPlain(row[j]) /\ j \notin sweep.jobs)
    /\ Reached(4, "a completion whose run was written meanwhile",
               \E s \in Session : ending[s].at = "begun" /\ ending[s].folds
                   /\ row[ending[s].job].fence = ending[s].number)
    /\ Reached(5, "a late end of a dead session",
               \E s \in dead : ending[s].at = "begun" /\ row[ending[s].job].here
                   /\ ending[s].number \notin Current(ending[s].job))
    /\ Reached(6, "all done, and no claim row left",
               claims = {} /\ \A j \in Job : ~row[j].here)
====================================================================================================
