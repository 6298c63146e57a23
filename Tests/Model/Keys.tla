----------------------------------- MODULE Keys ----------------------------------
(* What becomes of the jobs of one key: enqueue, supersede, commit, and how a run ends            *)
(* (docs/architecture.md), with the four key modes, operators, retries, and lost answers.         *)
(*                                                                                                *)
(* A transaction is one step. That is sound where everybody who changes a keyed job holds its     *)
(* subject, and a claim, which doesn't, only ever takes a pending job that it locks: it comes     *)
(* before or after, never in between. (Tests/Protocol runs the statements of each pair against    *)
(* each other and finds the same.)                                                                *)
(*                                                                                                *)
(* Left out, because it changes none of this:                                                     *)
(*   other keys: jobs of two keys meet only in the lock order, which Tests/Protocol tests;        *)
(*   sessions and time: a run may be reclaimed at any moment, and its handler may go on or be     *)
(*     gone. Lease.tla says when this happens; here it may always;                                *)
(*   run times, except for what `debounced` moves: `wait` counts the ticks until a job is due;    *)
(*   jobs that are held, lanes, priorities, kinds: they only keep a pending job from being claimed*)
(*   an operator's retry: it is an enqueue that keeps, or makes a pending job due.                *)
(*                                                                                                *)
(* Callers that keep a snapshot (REPEATABLE READ, SERIALIZABLE) take two steps: they take it, and *)
(* later they decide by it, unless what they lock has changed since: the first who updated wins.  *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    MaxCalls,       \* enqueues; each brings an id of its own
    MaxTroubles,    \* what goes wrong or is asked for besides: see Trouble
    MaxAttempts,    \* of each job
    MaxRefunds,     \* how many of them are given back (1000 in functions/end)
    Interval,       \* by which a debounced job is moved, in ticks
    MaxWait,        \* and how far at most, from its first enqueue
    Modes,          \* the modes to look at
    MaxViews,       \* how many callers keep a snapshot at a time
    Broken          \* the variant: "nothing", or what of the design is left out

VARIABLES
    subject,        \* the key's row: issued, floor, committed
    job,            \* the jobs that are unfinished, by id; the others are "absent"
    history,        \* how each job ended: one outcome, if all is well
    call,           \* what the producers know of their enqueues
    run,            \* what the workers know of their runs, by fence
    fences,         \* the last fence that was drawn
    visible,        \* ghost: what others can see of the runs' writes, in order
    superseded,     \* ghost: the generation of the newest superseding enqueue
    troubles        \* how many there were

vars == <<subject, job, history, call, run, fences, visible, superseded, troubles>>

Is(variant) == Broken = variant
Min(a, b) == IF a < b THEN a ELSE b

Call == 1 .. MaxCalls
Job == Call                             \* the id that the call brings
Fence == 1 .. MaxCalls + MaxTroubles    \* more claims than this there can't be
None == 0

Absent == [state |-> "absent", generation |-> 0, fence |-> None, attempt |-> 0, refunds |-> 0,
           runs |-> 0, ending |-> FALSE, alone |-> FALSE, wait |-> 0, age |-> 0]
NoRun == [job |-> None, generation |-> 0, phase |-> "none", reason |-> "none", answer |-> "none"]

Pending == {j \in Job : job[j].state \in {"available", "waiting"}}
Running == {j \in Job : job[j].state = "running"}

(* Whether a run would be late: the check at commit, on the row and the subject.                  *)
Outdated(j) ==
    /\ ~Is("commit without the generation")
    /\ subject.floor > job[j].generation \/ subject.committed >= job[j].generation

Init ==
    /\ subject = [issued |-> 0, floor |-> 0, committed |-> 0]
    /\ job = [j \in Job |-> Absent]
    /\ history = [j \in Job |-> <<>>]
    /\ call = [c \in Call |-> [phase |-> "idle", mode |-> "none", job |-> None,
                             wanted |-> TRUE, view |-> <<>>]]
    /\ run = [f \in Fence |-> NoRun]
    /\ fences = 0
    /\ visible = <<>>
    /\ superseded = 0
    /\ troubles = 0

(* A lost answer, a death, a failure, an operator: what there are only so many of.                *)
Trouble == troubles < MaxTroubles /\ troubles' = troubles + 1

----------------------------------------------------------------------------------------------------
(* Enqueue: functions/enqueue. Steps under the subject's lock, in the order of `enqueue_turn`.    *)

Raises(mode) == mode \in {"superseding", "exclusive"}   \* exclusive: overlap is forbidden
Joins(mode) == mode \in {"coalescing", "debounced"}

(* issue_generations                                                                              *)
Issued(mode) ==
    LET g == subject.issued + 1 IN
    [subject EXCEPT !.issued = g,
                    !.floor = IF Raises(mode) /\ ~Is("floor not raised") THEN g ELSE @]

(* retire_superseded                                                                              *)
Retired(mode) == IF Raises(mode) THEN Pending ELSE {}

(* update_pending: which jobs the new content goes to, and when they are due.                     *)
Joined(mode) ==
    IF ~Joins(mode) THEN {}
    ELSE IF Is("coalescing leaves two successors")
    THEN {j \in Pending : job[j].state = "available"}
    ELSE Pending
Moved(mode, age) ==
    IF mode # "debounced" THEN 0
    ELSE IF Is("debounced without a limit") THEN Interval
    ELSE Min(Interval, MaxWait - age)

(* find_kept: the newest job that is not on its way out. `rows` is what the caller sees.          *)
Kept(mode, rows) ==
    LET good == {j \in Job : rows[j].state # "absent" /\
                    \/ rows[j].generation >= subject.floor /\ ~rows[j].ending
                    \/ Is("keeping what is on its way out")}
    IN IF mode # "keeping" THEN {}
       ELSE {j \in good : \A k \in good : rows[k].generation <= rows[j].generation}

(* insert_jobs                                                                                    *)
Blocked(mode, rows) ==
    /\ \/ Joins(mode)
       \/ mode = "exclusive" /\ ~Is("supersede forgets the running one")
    /\ \E j \in Job : rows[j].state = "running"
New(mode, rows) ==
    [Absent EXCEPT !.state = IF Blocked(mode, rows) THEN "waiting" ELSE "available",
                   !.generation = subject.issued + 1,
                   !.alone = Joins(mode) \/ mode = "exclusive",
                   !.wait = Moved(mode, 0)]

Written(c, mode, rows) ==
    LET settled == Joined(mode) \cup Kept(mode, rows) IN
    /\ settled # {} \/ job[c].state = "absent" \/ c \in Retired(mode)   \* the primary key
    /\ subject' = Issued(mode)
    /\ superseded' = IF Raises(mode) THEN subject.issued + 1 ELSE superseded
    /\ job' = [j \in Job |->
            IF j = c /\ settled = {} THEN New(mode, rows)
            ELSE IF j \in Retired(mode) THEN Absent
            ELSE IF j \in Joined(mode)
            THEN [job[j] EXCEPT !.generation = subject.issued + 1, !.attempt = 0,
                                !.runs = job[j].refunds, !.wait = Moved(mode, job[j].age)]
            ELSE job[j]]
    /\ history' = [j \in Job |->
            IF j \in Retired(mode) THEN Append(history[j], "superseded") ELSE history[j]]

StandsFor(c, mode, rows) ==
    LET settled == Joined(mode) \cup Kept(mode, rows) IN
    IF settled = {} THEN c ELSE CHOOSE j \in settled : TRUE

(* Ghost: whether the job that stands for the call is there, and not on its way out.              *)
IsWanted(c, mode, rows) ==
    \A j \in Kept(mode, rows) :
        /\ job[j].state # "absent" \/ c = j
        /\ job[j].generation >= subject.floor /\ ~job[j].ending

MayCall(c, mode) ==
    /\ call[c].phase = "idle" /\ call[c].mode \in {"none", mode} /\ call[c].view = <<>>
    /\ \A d \in Call : d < c => call[d].mode # "none"

Answered(c, mode, phase, rows) ==
    [phase |-> phase, mode |-> mode, job |-> StandsFor(c, mode, rows),
     wanted |-> IsWanted(c, mode, rows), view |-> <<>>]

(* Done, and the producer hears of it.                                                            *)
Enqueue(c, mode) ==
    /\ MayCall(c, mode)
    /\ Written(c, mode, job)
    /\ call' = [call EXCEPT ![c] = Answered(c, mode, "acknowledged", job)]
    /\ UNCHANGED <<run, fences, visible, troubles>>

(* The same by a caller that keeps a snapshot: it is taken long before …                          *)
TakeView(c) ==
    /\ \E mode \in Modes : MayCall(c, mode)
    /\ Cardinality({d \in Call : call[d].view # <<>>}) < MaxViews
    /\ call' = [call EXCEPT ![c].view = <<[subject |-> subject, job |-> job]>>]
    /\ UNCHANGED <<subject, superseded, job, history, run, fences, visible, troubles>>

(* … and is no reason to decide by any more when a row that it shows, and the caller locks, was    *)
(* changed since: require_current_view. Pending jobs are locked by what is done with them. Time    *)
(* changes no row.                                                                                *)
Row(j, rows) == [rows[j] EXCEPT !.wait = 0, !.age = 0]
Stale(view) ==
    \/ subject # view.subject /\ ~Is("a snapshot is trusted with its subject")
    \/ \E j \in Job :
        /\ view.job[j].state \notin IF Is("a snapshot is trusted with its runs")
                                    THEN {"absent", "running"} ELSE {"absent"}
        /\ Row(j, job) # Row(j, view.job)

EnqueueByView(c, mode) ==
    /\ call[c].view # <<>> /\ call[c].mode \in {"none", mode}
    /\ LET view == call[c].view[1] IN
       IF Stale(view)
       THEN /\ call' = [call EXCEPT ![c].view = <<>>]      \* 40001: it may begin anew
            /\ UNCHANGED <<subject, superseded, job, history>>
       ELSE /\ Written(c, mode, view.job)
            /\ call' = [call EXCEPT ![c] = Answered(c, mode, "acknowledged", view.job)]
    /\ UNCHANGED <<run, fences, visible, troubles>>

(* The connection is lost during COMMIT, which is done or not.                                    *)
EnqueueUnanswered(c, mode) ==
    /\ MayCall(c, mode) /\ Trouble
    /\ \/ /\ Written(c, mode, job)
          /\ call' = [call EXCEPT ![c] = Answered(c, mode, "unknown", job)]
       \/ /\ call' = [call EXCEPT ![c] = [phase |-> "unknown", mode |-> mode, job |-> None,
                                          wanted |-> TRUE, view |-> <<>>]]
          /\ UNCHANGED <<subject, superseded, job, history>>
    /\ UNCHANGED <<run, fences, visible>>

(* SettledEnqueue: the transaction's id tells; only what was rolled back is sent again.           *)
EnqueueSettled(c) ==
    /\ call[c].phase = "unknown"
    /\ call' = [call EXCEPT ![c].phase =
            IF call[c].job = None \/ Is("enqueue sent again blindly") THEN "idle"
            ELSE "acknowledged"]
    /\ UNCHANGED <<subject, superseded, job, history, run, fences, visible, troubles>>

----------------------------------------------------------------------------------------------------
(* The end of a run: functions/end.                                                               *)

(* decide: what becomes of a running job whose run wants `wanted`.                                *)
Decision(j, wanted) ==
    LET newer == \E n \in Pending : job[n].generation > job[j].generation
        back == wanted \in {"failed", "handed back", "reclaimed"}
        blind == back /\ Is("the way out doesn't look at the floor")
        cancelled == job[j].ending /\ ~Is("commit of what was cancelled")
    IN CASE cancelled \/ wanted = "cancelled" -> "cancelled"
         [] (Outdated(j) /\ ~blind) \/ wanted = "superseded" -> "superseded"
         [] newer /\ back /\ ~Is("the way out doesn't look at its successor") -> "superseded"
         [] wanted = "completed" -> "completed"
         [] wanted = "handed back" /\ job[j].refunds < MaxRefunds -> "refunded"
         [] job[j].attempt >= MaxAttempts -> "discarded"
         [] OTHER -> "available"

Finished == {"completed", "superseded", "cancelled", "discarded"}

(* apply_decisions and release_successors, for job j.                                             *)
Ended(j, became) ==
    LET back == [job[j] EXCEPT
            !.state = "available", !.wait = 0,
            !.fence = IF Is("reclaim keeps the fence") THEN @ ELSE None,
            !.attempt = IF became = "refunded" THEN @ - 1 ELSE @,
            !.refunds = IF became = "refunded" THEN @ + 1 ELSE @]
        released == /\ Running \subseteq {j}
                    /\ ~Is("nobody releases the successor")
    IN /\ job' = [k \in Job |->
            IF k = j THEN (IF became \in Finished THEN Absent ELSE back)
            ELSE IF job[k].state = "waiting" /\ released
            THEN [job[k] EXCEPT !.state = "available"]
            ELSE job[k]]
       /\ history' = IF became \in Finished
                     THEN [history EXCEPT ![j] = Append(@, became)] ELSE history
       /\ subject' = IF became = "completed"
                     THEN [subject EXCEPT !.committed =
                              IF @ < job[j].generation THEN job[j].generation ELSE @]
                     ELSE subject

(* The job that fence f still names, if any.                                                      *)
Held(f) ==
    IF Is("commit without the fence") \/ Is("reclaim keeps the fence")
    THEN {j \in {run[f].job} : job[j].state # "absent"
                               /\ (Is("commit without the fence") \/ job[j].fence = f)}
    ELSE {j \in Running : job[j].fence = f}

(* end_runs for one: a fence that is gone changes nothing.                                        *)
End(f, wanted) ==
    IF Held(f) = {} THEN UNCHANGED <<job, history, subject>>
    ELSE LET j == CHOOSE j \in Held(f) : TRUE IN Ended(j, Decision(j, wanted))

----------------------------------------------------------------------------------------------------
(* A run, from its claim to its end.                                                              *)

Taken(j) ==
    /\ job[j].state = "available" /\ job[j].wait = 0 /\ fences + 1 \in Fence
    /\ fences' = fences + 1
    /\ job' = [job EXCEPT ![j].state = "running", ![j].fence = fences + 1,
            ![j].runs = @ + 1,
            ![j].attempt = IF Is("attempts counted at the end") THEN @ ELSE @ + 1]

RunOf(j, phase) ==
    [NoRun EXCEPT !.job = j, !.generation = job[j].generation, !.phase = phase,
                  !.reason = IF phase = "leaving" THEN "handed back" ELSE "none"]

Claim(j) ==
    /\ Taken(j)
    /\ run' = [run EXCEPT ![fences'] = RunOf(j, "working")]
    /\ UNCHANGED <<subject, history, call, visible, superseded, troubles>>

(* The answer is lost: the worker finds the run in its session's name, and hands it back.         *)
ClaimUnanswered(j) ==
    /\ Taken(j) /\ Trouble
    /\ run' = [run EXCEPT ![fences'] = RunOf(j, "leaving")]
    /\ UNCHANGED <<subject, history, call, visible, superseded>>

(* read_verdicts, at a beat or before a commit.                                                   *)
Verdict(f) ==
    LET held == {j \in Running : job[j].fence = f} IN
    IF held = {} THEN "handed back"     \* lost; what it reports will be late
    ELSE LET j == CHOOSE j \in held : TRUE IN
         IF job[j].ending THEN "cancelled"
         ELSE IF subject.floor > job[j].generation THEN "superseded" ELSE "held"

HearVerdict(f) ==
    /\ run[f].phase = "working" /\ Verdict(f) # "held"
    /\ ~Is("the beat ignores its verdicts")
    /\ run' = [run EXCEPT ![f].phase = "cancelled", ![f].reason = Verdict(f)]
    /\ UNCHANGED <<subject, job, history, call, fences, visible, superseded, troubles>>

(* A cancelled handler lets go, with its first reason.                                            *)
LetGo(f) ==
    /\ run[f].phase = "cancelled"
    /\ run' = [run EXCEPT ![f].phase = "leaving"]
    /\ UNCHANGED <<subject, job, history, call, fences, visible, superseded, troubles>>

(* The handler throws, or the worker is shut down, or its lease has run out.                      *)
GiveUp(f) ==
    /\ run[f].phase = "working" /\ Trouble
    /\ \E wanted \in {"failed", "handed back"} :
        run' = [run EXCEPT ![f].phase = "leaving", ![f].reason = wanted]
    /\ UNCHANGED <<subject, job, history, call, fences, visible, superseded>>

(* What a run has written is visible now; what it came upon is kept.                              *)
Shown(f, j, ends) ==
    visible' = Append(visible,
        [job |-> run[f].job, generation |-> run[f].generation, fence |-> f, ends |-> ends,
         upon |-> job[j].fence, running |-> job[j].state = "running",
         ending |-> job[j].ending, superseded |-> superseded])

(* FencedCommit.commit, through tenure.finish: all of it, or nothing.                             *)
InTime(f) == \E j \in Held(f) : Decision(j, "completed") = "completed"
Finish(f) ==
    IF InTime(f) THEN End(f, "completed") /\ Shown(f, run[f].job, TRUE)
    ELSE UNCHANGED <<job, history, subject, visible>>

MayCommit(f) == run[f].phase \in {"working", "cancelled"}

Heard(f, committed) ==
    IF committed THEN [run[f] EXCEPT !.phase = "over", !.answer = "committed"]
    ELSE [run[f] EXCEPT !.phase = "leaving", !.answer = "late", !.reason =
            IF run[f].phase = "cancelled" THEN @
            ELSE IF Verdict(f) = "held" THEN "handed back" ELSE Verdict(f)]

Commit(f) ==
    /\ MayCommit(f)
    /\ Finish(f)
    /\ run' = [run EXCEPT ![f] = Heard(f, InTime(f))]
    /\ UNCHANGED <<call, fences, superseded, troubles>>

CommitUnanswered(f) ==
    /\ MayCommit(f) /\ Trouble
    /\ Finish(f) \/ UNCHANGED <<job, history, subject, visible>>
    /\ run' = [run EXCEPT ![f].phase = "unsure", ![f].reason = "none"]
    /\ UNCHANGED <<call, fences, superseded>>

IsVisible(f) == \E k \in DOMAIN visible : visible[k].fence = f /\ visible[k].ends

(* FencedCommit.resolve: the transaction's id tells. What was rolled back is an error like any    *)
(* other, and the run fails.                                                                      *)
CommitSettled(f) ==
    /\ run[f].phase = "unsure" /\ ~Is("commit sent again blindly")
    /\ run' = [run EXCEPT ![f] =
            IF IsVisible(f) THEN [@ EXCEPT !.phase = "over", !.answer = "committed"]
            ELSE [@ EXCEPT !.phase = "leaving", !.reason = "failed", !.answer = "failed"]]
    /\ UNCHANGED <<subject, job, history, call, fences, visible, superseded, troubles>>
CommitAgain(f) ==
    /\ run[f].phase = "unsure" /\ Is("commit sent again blindly")
    /\ Finish(f)
    /\ run' = [run EXCEPT ![f] = Heard(f, InTime(f))]
    /\ UNCHANGED <<call, fences, superseded, troubles>>

(* FencedCommit.checkpoint, through tenure.hold_run: writes that don't end the job.               *)
Checkpoint(f) ==
    /\ MayCommit(f) /\ Trouble
    /\ \E j \in Held(f) :
        /\ ~job[j].ending /\ ~Outdated(j)
        /\ Shown(f, j, FALSE)
    /\ UNCHANGED <<subject, job, history, call, run, fences, superseded>>

(* Finisher: the end of a run, as soon as the database can be told.                               *)
Report(f) ==
    /\ run[f].phase = "leaving"
    /\ End(f, run[f].reason)
    /\ run' = [run EXCEPT ![f].phase = "over"]
    /\ UNCHANGED <<call, fences, visible, superseded, troubles>>

(* tenure.reclaim_runs: the session was declared dead. Its handler may be gone, or frozen.        *)
Reclaim(j) ==
    /\ j \in Running /\ Trouble
    /\ LET f == job[j].fence IN
       /\ End(f, "reclaimed")
       /\ run' = run \/ run' = [run EXCEPT ![f].phase = "over"]
    /\ UNCHANGED <<call, fences, visible, superseded>>

(* tenure.cancel_job: an operator. A running one learns it, and keeps its place until it has let  *)
(* go.                                                                                            *)
Cancel(j) ==
    /\ Trouble
    /\ \/ /\ j \in Pending
          /\ job' = [job EXCEPT ![j] = Absent]
          /\ history' = [history EXCEPT ![j] = Append(@, "cancelled")]
       \/ /\ j \in Running /\ ~job[j].ending
          /\ job' = [job EXCEPT ![j].ending = TRUE]
          /\ UNCHANGED history
    /\ UNCHANGED <<subject, call, run, fences, visible, superseded>>

(* Time matters to those only who wait for it.                                                    *)
Tick ==
    /\ \E j \in Pending : job[j].wait > 0
    /\ job' = [j \in Job |->
            IF j \in Pending
            THEN [job[j] EXCEPT !.wait = IF @ > 0 THEN @ - 1 ELSE 0, !.age = Min(@ + 1, MaxWait)]
            ELSE job[j]]
    /\ UNCHANGED <<subject, history, call, run, fences, visible, superseded, troubles>>

----------------------------------------------------------------------------------------------------

Next ==
    \/ Tick
    \/ \E c \in Call :
        \/ EnqueueSettled(c) \/ TakeView(c)
        \/ \E mode \in Modes : EnqueueByView(c, mode)
        \/ \E mode \in Modes : Enqueue(c, mode) \/ EnqueueUnanswered(c, mode)
    \/ \E j \in Job : Claim(j) \/ ClaimUnanswered(j) \/ Reclaim(j) \/ Cancel(j)
    \/ \E f \in Fence :
        \/ HearVerdict(f) \/ LetGo(f) \/ GiveUp(f) \/ Report(f) \/ Checkpoint(f)
        \/ Commit(f) \/ CommitUnanswered(f) \/ CommitSettled(f) \/ CommitAgain(f)

Spec == Init /\ [][Next]_vars

(* Whatever workers and the database do by themselves goes on; calls and troubles may end.        *)
Going ==
    /\ WF_vars(Tick)
    /\ \A c \in Call : WF_vars(EnqueueSettled(c))
    /\ \A j \in Job : WF_vars(Claim(j))
    /\ \A f \in Fence :
        /\ WF_vars(HearVerdict(f)) /\ WF_vars(LetGo(f)) /\ WF_vars(Report(f))
        /\ WF_vars(CommitSettled(f) \/ CommitAgain(f))

(* Handlers end some day …                                                                        *)
FairSpec == Spec /\ Going /\ \A f \in Fence : WF_vars(Commit(f))
(* … or go on for ever, unless they are told to stop.                                             *)
EndlessSpec == Spec /\ Going

----------------------------------------------------------------------------------------------------
(* The promises of the README.                                                                    *)

Unfinished(j) == job[j].state # "absent"

(* 1: one final state, and nothing that was acknowledged is lost.                                 *)
OneFinalState ==
    \A j \in Job : Len(history[j]) <= 1 /\ ~(history[j] # <<>> /\ Unfinished(j))
NoneIsLost ==
    \A c \in Call : call[c].phase = "acknowledged" =>
        Unfinished(call[c].job) \/ history[call[c].job] # <<>>
Drains == []<>(\A j \in Job : ~Unfinished(j))

(* 2: one visible commit, by the run that has the job, unless it was cancelled.                   *)
Ends == {k \in DOMAIN visible : visible[k].ends}
OneCommitPerJob ==
    \A j \in Job :
        /\ Cardinality({k \in Ends : visible[k].job = j}) <= 1
        /\ (\E k \in Ends : visible[k].job = j)
            <=> (\E n \in DOMAIN history[j] : history[j][n] = "completed")
OnlyTheCurrentFence ==
    \A k \in DOMAIN visible : visible[k].running /\ visible[k].upon = visible[k].fence
NothingOfTheCancelled == \A k \in DOMAIN visible : ~visible[k].ending

(* 3: generations only go forward.                                                                *)
NothingSuperseded == \A k \in DOMAIN visible : visible[k].generation >= visible[k].superseded
GenerationsGoForward ==
    \A k, l \in DOMAIN visible : k < l => visible[k].generation <= visible[l].generation

(* The handler and the producer hear the truth.                                                   *)
AnswersAreTrue ==
    \A f \in Fence : run[f].answer # "none" => (run[f].answer = "committed" <=> IsVisible(f))

(* Supersede and coalescing: one successor, wanted, and not beside what it has to wait for.       *)
OneSuccessor == Cardinality(Pending) <= 1
OutdatedIsNeverPending ==
    \A j \in Pending : job[j].generation >= superseded
NoForbiddenOverlap ==
    \A j, k \in Running :
        j # k /\ job[j].alone => job[k].generation > job[j].generation
WaitsForSomebody == (\E j \in Job : job[j].state = "waiting") => Running # {}
KeptIsWanted == \A c \in Call : call[c].wanted

(* A superseded, cancelled or reclaimed run is told, however long its handler would go on.        *)
IsTold == \A f \in Fence :
    (run[f].phase = "working" /\ Verdict(f) # "held") ~> (run[f].phase # "working")

(* Attempts are counted at the claim, so that a run which kills its worker counts.                *)
AttemptsAreBounded ==
    \A j \in Job :
        /\ job[j].attempt <= MaxAttempts
        /\ job[j].runs = job[j].attempt + job[j].refunds

DebounceIsBounded ==
    \A j \in Pending : job[j].wait > 0 => job[j].wait + job[j].age <= MaxWait

TypeOK ==
    /\ subject.floor <= subject.issued /\ subject.committed <= subject.issued
    /\ \A j \in Job : job[j].generation <= subject.issued
    /\ \A j \in Job : (job[j].state = "running") => job[j].fence # None

----------------------------------------------------------------------------------------------------
(* Not vacuous: the runner expects that each of these was reached.                                *)

ASSUME \A n \in 1 .. 10 : TLCSet(n, 0)
Reached(n, name, holds) ==
    holds /\ TLCGet(n) = 0 => TLCSet(n, 1) /\ PrintT(<<"reached", name>>)

Witnessed ==
    /\ Reached(1, "a running job superseded", \E j \in Running : job[j].generation < subject.floor)
    /\ Reached(2, "a late commit", \E f \in Fence : run[f].answer = "late")
    /\ Reached(3, "two visible commits of a key", Cardinality(Ends) > 1)
    /\ Reached(4, "a call that another's job stands for",
               \E c \in Call : call[c].job \notin {None, c})
    /\ Reached(5, "a job discarded", \E j \in Job : history[j] = <<"discarded">>)
    /\ Reached(6, "all called and drained",
               \A j \in Job : call[j].phase = "acknowledged" /\ ~Unfinished(j))
    /\ Reached(7, "committed, and not told",
               \E f \in Fence : run[f].phase = "unsure" /\ IsVisible(f))
    /\ Reached(8, "two runs of a key, one superseded",
               \E j, k \in Running : job[j].generation < subject.floor
                                     /\ job[k].generation >= subject.floor)
    /\ Reached(9, "a snapshot that is stale",
               \E c \in Call : call[c].view # <<>> /\ Stale(call[c].view[1]))
    /\ Reached(10, "a snapshot that others leave as it is",
               \E c \in Call : call[c].view # <<>> /\ ~Stale(call[c].view[1])
                              /\ \E j \in Job : call[c].view[1].job[j].state = "running")
====================================================================================================
