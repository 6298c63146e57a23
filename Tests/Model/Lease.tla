---------------------------------- MODULE Lease ----------------------------------
(* How a session keeps its right to run jobs, how it stops by itself when the right is gone, and  *)
(* how another session takes over: lease, claim and commit (docs/architecture.md), in real time.  *)
(*                                                                                                *)
(* Time goes on in ticks, the same for everybody, also for a process that is frozen. Nobody reads *)
(* it: a process only measures how long ago something was (the `age`s below), and its clock may   *)
(* be slow. What happens at a moment takes no time; `Tick` waits for whatever is due.             *)
(*                                                                                                *)
(* Left out, because it changes none of this:                                                     *)
(*   keys, generations, operators, retries by handlers: Keys.tla, where a session may die at any  *)
(*     moment;                                                                                    *)
(*   beat numbers: who has seen a beat that is not the newest any more has seen nothing, for the  *)
(*     next answer shows another number, and compare-and-set fails. So a newer beat wipes out     *)
(*     what was seen of the older one, and the model needs no bound on beats;                     *)
(*   a clock that is fast: the errors of the two clocks add up, and all of it is given to the     *)
(*     worker's (`Slip`), with the lateness of its timers;                                        *)
(*   a process that is started again: it shares nothing with the old one, and is one more process;*)
(*   PeerWatch's `longestGap`: it forgets sightings, and so only delays a declaration.            *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Process,        \* worker processes; each opens one session after the other
    Watcher,        \* those that watch the others' beats: all of them, or some to save states
    Faulty,         \* those that may crash, be frozen, or be cut off from the database; what the
                    \* others send, beats excepted, arrives at once, to save states
    Faults,         \* which of these: "crash", "freeze", "cut"
    MaxFaults,      \* how often in all
    Length,         \* of the lease: a peer watches a beat stand still this long
    Margin,         \* attempts are cancelled this long before the lease is over
    StopDelay,      \* an attempt lets go within this time of its cancellation
    Slip,           \* how late the worker's own clock and timers may be, over a lease
    BeatInterval,   \* how often a session beats
    BeatDeadline,   \* how long a beat may be on its way before it is given up
    MaxAttempts,    \* of the job
    MaxRefunds,     \* how many of them are given back
    Broken          \* the variant: "nothing", or what of the design is left out

VARIABLES
    session,        \* the table: each session that was ever opened
    job,            \* the one job, which everybody wants
    visible,        \* ghost: the commits that others can see, each with what it came upon
    commits,        \* fences whose COMMIT is on its way to the database
    process,        \* up, frozen or gone
    cut,            \* whether the process's messages may get lost
    lease,          \* LeaseClock: the right as its own process counts it
    beat,           \* the one beat that may be on its way, and its answer
    watch,          \* PeerWatch: the peer's beat that stands still, and since when
    judged,         \* the peer that is about to be declared dead
    run,            \* the one slot: a claim on its way, or the run that came of it
    suspect,        \* LeaseHolder: a run that the database has and we don't know
    faults          \* how many there were

vars == <<session, job, visible, commits, process, cut, lease, beat, watch, judged, run, suspect,
          faults>>

Is(variant) == Broken = variant
Min(a, b) == IF a < b THEN a ELSE b

CancelTime == Length - Margin       \* LeaseRule.cancelTime, on the worker's clock
LastMoment == CancelTime + Slip     \* when a slow clock shows it
Overslept == LastMoment + 1         \* later than any process that is awake

MaxRuns == MaxAttempts + MaxRefunds
Fence == 1 .. MaxRuns
None == 0                           \* no session, no fence

NoBeat == [stage |-> "none", age |-> 0, counted |-> FALSE, peer |-> None, same |-> FALSE,
           unknown |-> None]
NoWatch == [peer |-> None, age |-> 0]
NoRun == [phase |-> "none", fence |-> None, session |-> None, age |-> 0]
NoLease == [state |-> "none", session |-> None, age |-> 0]

(* The registry holds runs from the claim's answer until their end is written.                    *)
Registered == {"working", "stopping", "overslept", "committing", "leaving"}
ClaimInFlight == {"asking", "given"}
AtWork == {"working", "stopping", "overslept"}

Live(s) == session[s].live
Opened == DOMAIN session

(* What a look at the clock may say. Between CancelTime and LastMoment it depends on how slow the *)
(* clock is; `LooksOver` may be true as well.                                                     *)
LooksHeld(p) ==
    /\ lease[p].state = "held"
    /\ lease[p].age < LastMoment \/ Is("a flag instead of the clock")
LooksOver(p) == lease[p].state # "held" \/ lease[p].age >= CancelTime

Up(p) == process[p] = "up"

----------------------------------------------------------------------------------------------------
(* Every process has opened its session a moment ago; the job is pending.                         *)

Sequenced(S) == CHOOSE f \in [S -> 1 .. Cardinality(S)] : \A a, b \in S : a # b => f[a] # f[b]

Init ==
    LET first == Sequenced(Process) IN
    /\ session = [s \in 1 .. Cardinality(Process) |-> [live |-> TRUE, reclaimed |-> FALSE]]
    /\ job = [state |-> "pending", fence |-> None, session |-> None, attempt |-> 0, refunds |-> 0,
              runs |-> 0]
    /\ visible = {}
    /\ commits = {}
    /\ process = [p \in Process |-> "up"]
    /\ cut = [p \in Process |-> FALSE]
    /\ lease = [p \in Process |-> [state |-> "held", session |-> first[p], age |-> 0]]
    /\ beat = [p \in Process |-> NoBeat]
    /\ watch = [p \in Process |-> NoWatch]
    /\ judged = [p \in Process |-> None]
    /\ run = [p \in Process |-> NoRun]
    /\ suspect = [p \in Process |-> None]
    /\ faults = 0

----------------------------------------------------------------------------------------------------
(* The right to run, inside one process.                                                          *)

(* Whoever holds the slot is told to stop. A process that slept through its deadline is excused   *)
(* from promise 4, and from nothing else.                                                         *)
Cancelled(p) ==
    [run EXCEPT ![p] =
        CASE @.phase = "working" -> [@ EXCEPT
                !.phase = IF lease[p].state = "held" /\ lease[p].age >= Overslept
                          THEN "overslept" ELSE "stopping"]
          [] OTHER -> @]

(* SessionKeeper.watchDeadline: the lease has run out on our own clock.                           *)
Expire(p) ==
    /\ Up(p) /\ lease[p].state = "held" /\ lease[p].age >= CancelTime
    /\ lease' = [lease EXCEPT ![p].state = "expired", ![p].age = 0]
    /\ run' = Cancelled(p)
    /\ UNCHANGED <<session, job, visible, commits, process, cut, beat, watch, judged, suspect,
                   faults>>

(* The handler's last child has ended: the slot reports, and the job is handed back.              *)
LetGo(p) ==
    /\ Up(p) /\ run[p].phase \in {"stopping", "overslept"}
    /\ run' = [run EXCEPT ![p].phase = "leaving", ![p].age = 0]
    /\ UNCHANGED <<session, job, visible, commits, process, cut, lease, beat, watch, judged,
                   suspect, faults>>

(* SessionKeeper.open. A dead session never comes back: this is another one.                      *)
OpenSession(p) ==
    /\ Up(p) /\ ~cut[p] /\ lease[p].state = "none"
    /\ LET s == Cardinality(Opened) + 1 IN
       /\ session' = [x \in 1 .. s |-> IF x = s THEN [live |-> TRUE, reclaimed |-> FALSE]
                                       ELSE session[x]]
       /\ lease' = [lease EXCEPT ![p] = [state |-> "held", session |-> s, age |-> 0]]
    /\ UNCHANGED <<job, visible, commits, process, cut, beat, watch, judged, run, suspect, faults>>

----------------------------------------------------------------------------------------------------
(* The beat: sent, counted by the database, answered. Its age is counted from before it was sent. *)
(* Sending takes no step of its own: it is part of the tick at which it is due, or of the giving  *)
(* up of the one before. What is on its way may still arrive at any moment.                       *)

SentBeat == [NoBeat EXCEPT !.stage = "sent"]
BeatDue(p) == lease[p].state = "held" => lease[p].age >= BeatInterval

(* Session s has beaten again, or is over: what was seen of it is worth nothing.                  *)
AnswersWithout(s) == [q \in Process |->
    IF beat[q].peer = s THEN [beat[q] EXCEPT !.peer = None, !.same = FALSE] ELSE beat[q]]
WatchesWithout(s) == [q \in Process |-> IF watch[q].peer = s THEN NoWatch ELSE watch[q]]
JudgementsWithout(s) == [q \in Process |-> IF judged[q] = s THEN None ELSE judged[q]]

(* tenure.beat: renew one row, read where the peer's stands, and what runs in our name unknown.   *)
CountBeat(p) ==
    /\ beat[p].stage = "sent"
    /\ LET own == lease[p].session
           counted == Live(own) \/ Is("a dead session comes back to life")
           peers == {s \in Opened \ {own} : Live(s) /\ ~session[s].reclaimed}
           peer == IF peers = {} \/ p \notin Watcher THEN None ELSE CHOOSE s \in peers : TRUE
           knows == run[p].phase \in Registered /\ run[p].fence = job.fence
           answer == [stage |-> "answered", age |-> beat[p].age, counted |-> counted,
                      peer |-> peer, same |-> peer # None /\ watch[p].peer = peer,
                      unknown |-> IF job.session = own /\ ~knows THEN job.fence ELSE None]
       IN /\ session' = [session EXCEPT ![own].live = counted]
          /\ beat' = [(IF counted THEN AnswersWithout(own) ELSE beat) EXCEPT ![p] = answer]
          /\ watch' = IF counted THEN WatchesWithout(own) ELSE watch
          /\ judged' = IF counted /\ ~Is("death without compare-and-set")
                       THEN JudgementsWithout(own) ELSE judged
    /\ UNCHANGED <<job, visible, commits, process, cut, lease, run, suspect, faults>>

(* PeerWatch.see: a beat that is the same as before has stood still since the answer arrived that *)
(* first showed it; the beat itself was sent earlier than that.                                   *)
Sighted(p) ==
    LET b == beat[p] IN
    IF b.peer = None THEN NoWatch
    ELSE IF b.same THEN watch[p]
    ELSE [peer |-> b.peer, age |-> IF Is("watched from the sending") THEN Min(b.age, Length) ELSE 0]

(* LeaseHolder.unknownRuns: what stays unknown over two looks, with no claim on its way, was      *)
(* given to us by an answer that never came.                                                      *)
Stranger(p) ==
    IF run[p].phase \in Registered /\ run[p].fence = beat[p].unknown THEN None
    ELSE beat[p].unknown

(* The job is pending again, or discarded when its attempts are spent.                            *)
BackToPending(refund) ==
    job' = IF ~refund /\ job.attempt >= MaxAttempts
           THEN [job EXCEPT !.state = "discarded", !.fence = None, !.session = None]
           ELSE [job EXCEPT !.state = "pending", !.fence = None, !.session = None,
                            !.attempt = IF refund THEN @ - 1 ELSE @,
                            !.refunds = IF refund THEN @ + 1 ELSE @]

(* SessionKeeper.sendBeat, from the answer on.                                                    *)
BeatAnswered(p) ==
    /\ Up(p) /\ beat[p].stage = "answered" /\ beat[p].counted
    /\ lease' = [lease EXCEPT ![p].state = "held",
                     ![p].age = IF Is("deadline from the reply") THEN 0 ELSE beat[p].age]
    /\ watch' = [watch EXCEPT ![p] = Sighted(p)]
    /\ judged' = IF watch'[p].peer # None /\ watch'[p].age >= Length
                 THEN [judged EXCEPT ![p] = watch'[p].peer] ELSE judged
    /\ LET hasty == Is("unknown run handed back at first sight")
           stranger == Stranger(p)
           looks == (run[p].phase \notin ClaimInFlight \/ hasty)
                    /\ ~Is("unknown run never handed back")
           confirmed == looks /\ stranger # None /\ (suspect[p] = stranger \/ hasty)
       IN /\ suspect' = IF looks
                        THEN [suspect EXCEPT ![p] = IF confirmed THEN None ELSE stranger]
                        ELSE suspect
          /\ IF confirmed /\ job.state = "running" /\ job.fence = stranger
             THEN BackToPending(job.refunds < MaxRefunds) ELSE UNCHANGED job
    /\ beat' = [beat EXCEPT ![p] = NoBeat]
    /\ UNCHANGED <<session, run, visible, commits, process, cut, faults>>

(* The session is over: declared dead. Nothing that runs under it can commit any more.            *)
SessionOver(p) ==
    /\ Up(p) /\ beat[p].stage = "answered" /\ ~beat[p].counted
    /\ lease' = [lease EXCEPT ![p] = NoLease]
    /\ run' = Cancelled(p)
    /\ beat' = [beat EXCEPT ![p] = NoBeat]
    /\ suspect' = [suspect EXCEPT ![p] = None]
    /\ UNCHANGED <<session, job, visible, commits, process, cut, watch, judged, faults>>

(* Its time is up, or its connection broke: an unknown outcome, which extends nothing.            *)
GiveUpBeat(p) ==
    /\ Up(p) /\ beat[p].stage # "none"
    /\ cut[p] \/ beat[p].age > BeatDeadline
    /\ beat' = [beat EXCEPT ![p] = SentBeat]      \* tried again at once
    /\ lease' = IF Is("unknown beat extends the lease") /\ lease[p].state = "held"
                THEN [lease EXCEPT ![p].age = beat[p].age] ELSE lease
    /\ UNCHANGED <<session, job, visible, commits, process, cut, watch, judged, run, suspect,
                   faults>>

----------------------------------------------------------------------------------------------------
(* The death of a session, and what becomes of its job.                                           *)

(* tenure.declare_dead: compare-and-set. It may come any time after the judgement, also when the  *)
(* watcher is frozen or gone by then.                                                             *)
DeclareDead(p) ==
    /\ judged[p] # None
    /\ LET s == judged[p] IN
       /\ session' = [session EXCEPT ![s].live = FALSE]
       /\ beat' = AnswersWithout(s)
       /\ watch' = WatchesWithout(s)
       /\ judged' = JudgementsWithout(s)
    /\ UNCHANGED <<job, visible, commits, process, cut, lease, run, suspect, faults>>

(* tenure.reclaim_runs, by whoever's beat shows a dead session.                                   *)
Reclaim(p) ==
    /\ Up(p) /\ lease[p].state # "none"
    /\ \E s \in Opened :
        /\ ~Live(s) /\ ~session[s].reclaimed
        /\ session' = [session EXCEPT ![s].reclaimed = TRUE]
        /\ IF job.state = "running" /\ job.session = s THEN BackToPending(FALSE)
           ELSE UNCHANGED job
    /\ UNCHANGED <<visible, commits, process, cut, lease, beat, watch, judged, run, suspect,
                   faults>>

----------------------------------------------------------------------------------------------------
(* A job's way: claimed, started, committed or handed back.                                       *)

(* Claimer.claim: only under a lease that is held by the clock.                                   *)
SendClaim(p) ==
    /\ p \in Faulty
    /\ Up(p) /\ run[p].phase = "none" /\ LooksHeld(p)
    /\ job.state \in {"pending", "running"}   \* or there is nothing to ask for, ever again
    /\ run' = [run EXCEPT ![p] = [NoRun EXCEPT !.phase = "asking", !.session = lease[p].session]]
    /\ UNCHANGED <<session, job, visible, commits, process, cut, lease, beat, watch, judged,
                   suspect, faults>>

(* tenure.claim_lanes: a new fence, larger than any before; the attempt is counted here.         *)
Taken(s) ==
    [job EXCEPT !.state = "running", !.fence = job.runs + 1, !.session = s,
                !.runs = @ + 1, !.attempt = @ + 1]

(* tenure.claim: only for a live session.                                                         *)
Claim(p) ==
    /\ run[p].phase = "asking"
    /\ IF (Live(run[p].session) \/ Is("a dead session claims")) /\ job.state = "pending"
       THEN /\ job' = Taken(run[p].session)
            /\ run' = [run EXCEPT ![p].phase = "given", ![p].fence = job'.fence]
       ELSE /\ run' = [run EXCEPT ![p] = NoRun]
            /\ UNCHANGED job
    /\ UNCHANGED <<session, visible, commits, process, cut, lease, beat, watch, judged, suspect,
                   faults>>

ClaimAtOnce(p) ==
    /\ p \notin Faulty
    /\ run[p].phase = "none" /\ LooksHeld(p) /\ Live(lease[p].session) /\ job.state = "pending"
    /\ job' = Taken(lease[p].session)
    /\ run' = [run EXCEPT ![p] = [phase |-> "working", fence |-> job'.fence,
                                  session |-> job'.session, age |-> 0]]
    /\ UNCHANGED <<session, visible, commits, process, cut, lease, beat, watch, judged, suspect,
                   faults>>

LoseClaim(p) ==
    /\ Up(p) /\ cut[p] /\ run[p].phase \in ClaimInFlight
    /\ run' = [run EXCEPT ![p] = NoRun]
    /\ UNCHANGED <<session, job, visible, commits, process, cut, lease, beat, watch, judged,
                   suspect, faults>>

(* The answer, and WorkerCore.execute: it may have been long on its way, or have waited for a     *)
(* slot, so the clock is looked at before anything starts.                                        *)
ClaimAnswered(p) ==
    /\ Up(p) /\ run[p].phase = "given"
    /\ LET unseen == Is("late claim started without a look") IN
       \/ /\ (LooksHeld(p) /\ lease[p].session = run[p].session) \/ unseen
          /\ run' = [run EXCEPT ![p].phase = "working"]
       \/ /\ (LooksOver(p) \/ lease[p].session # run[p].session) /\ ~unseen
          /\ run' = [run EXCEPT ![p].phase = "leaving"]
    /\ UNCHANGED <<session, job, visible, commits, process, cut, lease, beat, watch, judged,
                   suspect, faults>>

(* The handler commits; one that was told to stop may be about to.                                *)
SendCommit(p) ==
    /\ p \in Faulty
    /\ Up(p) /\ run[p].phase \in AtWork
    /\ commits' = commits \cup {run[p].fence}
    /\ run' = [run EXCEPT ![p].phase = "committing", ![p].age = 0]
    /\ UNCHANGED <<session, job, visible, process, cut, lease, beat, watch, judged, suspect,
                   faults>>

(* tenure.finish, behind the fence. It may come long after its process is gone. A fence whose     *)
(* session is over but was not reclaimed is still good. Committed or late, the run is over: what  *)
(* the handler hears, and when, is in Keys.                                                       *)
Written(f) ==
    IF (job.state = "running" /\ job.fence = f) \/ Is("commit without the fence")
    THEN /\ visible' = visible \cup {[fence |-> f, upon |-> job.fence]}
         /\ job' = [job EXCEPT !.state = "completed", !.fence = None, !.session = None]
    ELSE UNCHANGED <<visible, job>>

Commit(f) ==
    /\ f \in commits
    /\ commits' = commits \ {f}
    /\ Written(f)
    /\ run' = [p \in Process |->
            IF run[p].phase = "committing" /\ run[p].fence = f THEN NoRun ELSE run[p]]
    /\ UNCHANGED <<session, process, cut, lease, beat, watch, judged, suspect, faults>>

CommitAtOnce(p) ==
    /\ p \notin Faulty /\ run[p].phase \in AtWork
    /\ Written(run[p].fence)
    /\ run' = [run EXCEPT ![p] = NoRun]
    /\ UNCHANGED <<session, commits, process, cut, lease, beat, watch, judged, suspect, faults>>

(* The request was lost: the transaction is rolled back, and FencedCommit finds that out.         *)
LoseCommit(p) ==
    /\ Up(p) /\ cut[p] /\ run[p].phase = "committing" /\ run[p].fence \in commits
    /\ commits' = commits \ {run[p].fence}
    /\ run' = [run EXCEPT ![p].phase = "leaving"]
    /\ UNCHANGED <<session, job, visible, process, cut, lease, beat, watch, judged, suspect,
                   faults>>

(* Finisher: the job is handed back, with its attempt, as soon as the database can be told.       *)
HandBack(p) ==
    /\ Up(p) /\ ~cut[p] /\ run[p].phase = "leaving"
    /\ IF job.state = "running" /\ job.fence = run[p].fence
       THEN BackToPending(job.refunds < MaxRefunds)
       ELSE UNCHANGED job
    /\ run' = [run EXCEPT ![p] = NoRun]
    /\ UNCHANGED <<session, visible, commits, process, cut, lease, beat, watch, judged, suspect,
                   faults>>

----------------------------------------------------------------------------------------------------
(* Faults.                                                                                        *)

Fault(kind, p) ==
    kind \in Faults /\ p \in Faulty /\ faults < MaxFaults /\ faults' = faults + 1

(* kill -9. What it has sent may still arrive.                                                    *)
Crash(p) ==
    /\ Fault("crash", p) /\ process[p] # "gone"
    /\ Cardinality({q \in Process : process[q] = "gone"}) + 1 < Cardinality(Process)
    /\ process' = [process EXCEPT ![p] = "gone"]
    /\ cut' = [cut EXCEPT ![p] = FALSE]
    /\ lease' = [lease EXCEPT ![p] = NoLease]
    /\ beat' = [beat EXCEPT ![p] = NoBeat]
    /\ watch' = [watch EXCEPT ![p] = NoWatch]
    /\ run' = [run EXCEPT ![p] = NoRun]
    /\ suspect' = [suspect EXCEPT ![p] = None]
    /\ UNCHANGED <<session, job, visible, commits, judged>>

(* SIGSTOP. Its clock goes on, its messages go on, it does not.                                   *)
Freeze(p) ==
    /\ Fault("freeze", p) /\ Up(p)
    /\ process' = [process EXCEPT ![p] = "frozen"]
    /\ UNCHANGED <<session, job, visible, commits, cut, lease, beat, watch, judged, run, suspect>>

Thaw(p) ==
    /\ process[p] = "frozen"
    /\ process' = [process EXCEPT ![p] = "up"]
    /\ UNCHANGED <<session, job, visible, commits, cut, lease, beat, watch, judged, run, suspect,
                   faults>>

(* While it is cut off, any of its messages may be lost, and any may get through.                 *)
CutOff(p) ==
    /\ Fault("cut", p) /\ Up(p) /\ ~cut[p]
    /\ cut' = [cut EXCEPT ![p] = TRUE]
    /\ UNCHANGED <<session, job, visible, commits, process, lease, beat, watch, judged, run,
                   suspect>>

Reconnect(p) ==
    /\ cut[p]
    /\ cut' = [cut EXCEPT ![p] = FALSE]
    /\ UNCHANGED <<session, job, visible, commits, process, lease, beat, watch, judged, run,
                   suspect, faults>>

----------------------------------------------------------------------------------------------------
(* Time. A process that is up does in time what its timers ask for.                               *)

Due(p) ==
    /\ Up(p)
    /\ \/ lease[p].state = "held" /\ lease[p].age >= LastMoment
       \/ run[p].phase \in {"stopping", "overslept"} /\ run[p].age >= StopDelay
       \/ beat[p].stage # "none" /\ beat[p].age >= BeatDeadline
       \/ lease[p].state = "none" /\ ~cut[p]

(* What is older than this makes no difference: it is overslept, or, where nothing ever goes      *)
(* wrong, it is time to beat.                                                                     *)
Oldest(p) == IF p \in Faulty THEN Overslept ELSE BeatInterval

(* When the job is over and nobody is at it, there is no more to see: time stands still.          *)
Unsettled ==
    \/ job.state \in {"pending", "running"}
    \/ commits # {}
    \/ \E p \in Process : run[p].phase \in AtWork

Tick ==
    /\ Unsettled
    /\ \A p \in Process : ~Due(p)
    /\ lease' = [p \in Process |->
            IF lease[p].state = "held"
            THEN [lease[p] EXCEPT !.age = Min(@ + 1, Oldest(p))] ELSE lease[p]]
    /\ beat' = [p \in Process |->
            IF beat[p].stage # "none" THEN [beat[p] EXCEPT !.age = Min(@ + 1, Overslept)]
            ELSE IF Up(p) /\ lease[p].state # "none" /\ BeatDue(p)' THEN SentBeat ELSE NoBeat]
    /\ watch' = [p \in Process |->
            IF watch[p].peer # None
            THEN [watch[p] EXCEPT !.age = Min(@ + 1, Length)] ELSE watch[p]]
    /\ run' = [p \in Process |->
            IF run[p].phase \in {"stopping", "overslept"}
            THEN [run[p] EXCEPT !.age = Min(@ + 1, StopDelay + 1)] ELSE run[p]]
    /\ UNCHANGED <<session, job, visible, commits, process, cut, judged, suspect, faults>>

Timely(p) ==
    \/ Expire(p) \/ LetGo(p) \/ OpenSession(p)
    \/ CountBeat(p) \/ BeatAnswered(p) \/ SessionOver(p) \/ GiveUpBeat(p)

(* The one slot's next step.                                                                      *)
Work(p) ==
    \/ SendClaim(p) \/ Claim(p) \/ ClaimAnswered(p) \/ ClaimAtOnce(p)
    \/ SendCommit(p) \/ CommitAtOnce(p) \/ HandBack(p)

Next ==
    \/ Tick
    \/ \E p \in Process :
        \/ Timely(p) \/ Work(p)
        \/ DeclareDead(p) \/ Reclaim(p)
        \/ LoseClaim(p) \/ LoseCommit(p)
        \/ Crash(p) \/ Freeze(p) \/ Thaw(p) \/ CutOff(p) \/ Reconnect(p)
    \/ \E f \in Fence : Commit(f)

(* Everybody goes on; nothing says that a frozen process is thawed.                               *)
Fairness ==
    /\ WF_vars(Tick)
    /\ WF_vars(\E p \in Process : Timely(p))
    /\ WF_vars(\E p \in Process : DeclareDead(p) \/ Reclaim(p))
    /\ WF_vars(\E p \in Process : Reconnect(p))
    /\ WF_vars(\E f \in Fence : Commit(f))
    /\ \A p \in Process : WF_vars(Work(p))

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fairness

----------------------------------------------------------------------------------------------------
(* The promises of the README.                                                                    *)

(* 2: one visible commit, and only from the run that the job had just then.                       *)
OneCommitPerJob ==
    /\ Cardinality(visible) <= 1
    /\ job.state = "completed" <=> visible # {}
OnlyTheCurrentFence == \A c \in visible : c.fence = c.upon

(* 4: nobody works under a session that was declared dead, except for a process that was frozen:  *)
(* it may have overslept, and has not heard of it yet.                                            *)
Excused(p) ==
    \/ ~Up(p)
    \/ run[p].phase = "overslept"
    \/ run[p].phase = "stopping" /\ run[p].age > StopDelay
    \/ lease[p].state = "held" /\ lease[p].age >= Overslept
StoppedBeforeReclaim ==
    \A p \in Process : run[p].phase \in AtWork /\ ~Excused(p) => Live(run[p].session)

(* 4, at the edges: a handler that looks at the clock before an effect, as `checkRight` does, is  *)
(* right, also just after it was thawed.                                                          *)
ChecksAreRight ==
    \A p \in Process :
        Up(p) /\ run[p].phase = "working" /\ LooksHeld(p) => Live(run[p].session)

(* What 4 is for: nobody is at work on a job that another has.                                    *)
AloneAtWork ==
    \A p, q \in Process :
        p # q /\ run[p].phase \in AtWork /\ run[q].phase \in AtWork => Excused(p) \/ Excused(q)

(* 5, as a state: a run that nobody watches would never be reclaimed.                             *)
EveryRunIsWatched ==
    job.state = "running" => ~session[job.session].reclaimed

(* Attempts are counted at the claim.                                                             *)
AttemptsAreBounded ==
    /\ job.attempt <= MaxAttempts
    /\ job.runs = job.attempt + job.refunds

(* 1 and 5: when the faults stop, the job ends, whatever they have left behind.                   *)
Drains == <>(job.state \in {"completed", "discarded"})

TypeOK ==
    /\ job.state \in {"pending", "running", "completed", "discarded"}
    /\ job.fence \in 0 .. MaxRuns
    /\ commits \subseteq Fence
    /\ \A p \in Process :
        /\ process[p] \in {"up", "frozen", "gone"}
        /\ lease[p].state \in {"none", "held", "expired"}
        /\ run[p].phase \in Registered \cup ClaimInFlight \cup {"none"}

----------------------------------------------------------------------------------------------------
(* Not vacuous: the runner expects that each of these was reached.                                *)

ASSUME \A n \in 1 .. 8 : TLCSet(n, 0)
Reached(n, name, holds) ==
    holds /\ TLCGet(n) = 0 => TLCSet(n, 1) /\ PrintT(<<"reached", name>>)

Witnessed ==
    /\ Reached(1, "a late commit on its way", \E f \in commits : job.fence # f)
    /\ Reached(2, "a process that overslept", \E p \in Process : run[p].phase = "overslept")
    /\ Reached(3, "a commit after a reclaim", job.state = "completed" /\ job.attempt > 1)
    /\ Reached(4, "an expired lease held again",
               \E p \in Process : lease[p].state = "expired" /\ beat[p].counted)
    /\ Reached(5, "an unknown run seen twice",
               \E p \in Process : suspect[p] # None /\ beat[p].unknown = suspect[p])
    /\ Reached(6, "a good fence of a dead session",
               \E f \in commits : job.fence = f /\ ~Live(job.session))
    /\ Reached(7, "a second session of a process",
               Cardinality(Opened) > Cardinality(Process))
    /\ Reached(8, "a claim sent by a dead session",
               \E p \in Process : run[p].phase = "asking" /\ ~Live(run[p].session))
====================================================================================================
