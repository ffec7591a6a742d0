--------------------------------- MODULE Queue ---------------------------------
(* The waiters of one client for one lock: `LocalLock`, `WaitQueue`, `WaitPolicy`, `LastAnswer`, `StoreSteps`, `Hold`, `HoldRelease`, `ClaimReaper` and
   `WakeUps`. A property is named after the rule that it states.

   What one client knows of the lock is the record `L`. Each operator below that takes and gives one is the method of that name, and an action is
   what runs under the lock's mutex at one time; what the engine does after that, on any thread, is a later action.

   Deadlines pass, holds are lost, callers go and the client is closed at any moment. The store serves nobody in order. With `Feed` it tells a client that has
   subscribed of each release; without `Polls` these messages are not lost, and nobody asks again but because it was woken. A claim has its waiter's name, and so has a
   hold, whose claim may be another's that was passed on. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Waiters,       \* numbers from 1 on: they call in this order
    Alike,         \* those that have one owner, who may re-enter; each of the others has one for itself
    Tries,         \* those that ask once
    Limited,       \* those that have a deadline
    Leavers,       \* those that may be interrupted or cancelled
    MaxRivals,     \* how often another client takes the lock
    MaxFailures,   \* calls with an unknown outcome, and grants that come too late
    MaxLosses,     \* holds that are lost
    Closes,        \* whether the client may be closed
    Feed,          \* whether the store tells of releases
    Polls,         \* whether messages may be lost, and rivals die: then waiters have to poll
    PassesOn,      \* whether a released claim may pass to the next waiter without the store; it need not, as its bounds may be reached
    Fault          \* what is broken

Faults == {
    "none",
    \* wake-ups
    "release wakes nobody", "wake-up during a request is forgotten", "subscription wakes nobody", "doubtful answer is passed on",
    "end of a release is not told", "next is not told", "reaper wakes nobody",
    \* ends
    "ends while its request is under way", "late grant is kept", "grant after the close is kept", "unknown attempt is kept",
    "times out on an old answer",
    \* claims that are passed on
    "passed on and released", "passed on to the last", "passed on to one that left",
    \* order and holds
    "withdrawal turns the line round", "leaver stays in line", "everybody asks", "first release frees", "last release frees nothing", "anybody re-enters", "dead hold is shared"}

ASSUME Fault \in Faults

Free == 0
Rival == 1 + Cardinality(Waiters)

VARIABLES
    lock,       \* at the store: Free, Rival, or the claim that is in force
    late,       \* attempts that failed and may be carried out still
    news,       \* whether a message is on its way
    wakes,      \* whether the reaper is about to wake the waiters
    L,          \* the LocalLock
    gone,       \* waiters whose caller has gone
    taken,      \* for the properties: waiters in whose time the lock was certainly taken
    rivals, failures, losses

storeVars == <<lock, late, news>>
countVars == <<rivals, failures, losses>>
vars == <<storeVars, wakes, L, gone, taken, countVars>>

Each(value) == [w \in Waiters |-> value]

Init ==
    /\ lock = Free /\ late = {} /\ news = FALSE /\ wakes = FALSE
    /\ gone = {} /\ taken = {} /\ rivals = 0 /\ failures = 0 /\ losses = 0
    /\ L = [queue |-> <<>>, past |-> {}, overdue |-> {}, newFirst |-> FALSE, closed |-> "no", sub |-> "no", next |-> 1,
            place |-> Each(0), out |-> Each("none"),
            step |-> Each("none"), ends |-> Each("none"), ending |-> Each("none"), claim |-> Each(FALSE),
            over |-> Each(FALSE), rung |-> Each(FALSE),
            \* The last answer: whether there is one, its own, given after the deadline; doubts; who had called when it was asked for, and lastly.
            has |-> Each(FALSE), own |-> Each(FALSE), afterEnd |-> Each(FALSE), woken |-> Each(FALSE), newer |-> Each(FALSE),
            since |-> Each({}), asked |-> Each({}),
            \* Holds: their state, whose handles are not released, those that are found by their owner, releases under way.
            st |-> Each("none"), claimOf |-> [w \in Waiters |-> w], shares |-> Each({}), map |-> {}, rel |-> {}, reap |-> {}]

SameOwner(v, w) == v = w \/ {v, w} \subseteq Alike \/ Fault = "anybody re-enters"
First(l) == IF l.queue = <<>> THEN 0 ELSE Head(l.queue)
AsksStore(l, w) == w = First(l) \/ w \in l.past \/ Fault = "everybody asks"
Finished(l, w) == l.out[w] # "none"
Entered(l) == {w \in Waiters : l.place[w] # 0}
Inside(l) == {w \in Entered(l) : ~Finished(l, w)}
Askers(l) == {w \in Inside(l) : AsksStore(l, w)}
HeldHere(l) == \E h \in l.map : l.st[h] = "held"
HoldsOf(l, w) == {h \in l.map : SameOwner(h, w) /\ (w \in Alike \/ Fault = "anybody re-enters")}
IsOver(l, w) == w \in Tries \/ l.over[w]

Without(s, w) == SelectSeq(s, LAMBDA v : v # w)
Reversed(s) == [i \in 1..Len(s) |-> s[Len(s) + 1 - i]]

(* LocalLock.finish and passAnswerOn. What a waiter knew is forgotten. *)
Finish(l, w, end) ==
    LET first == w = First(l)
        rest == IF Fault = "leaver stays in line" /\ end = "abandoned" THEN l.queue ELSE Without(l.queue, w)
        queue == IF Fault = "withdrawal turns the line round" /\ end = "abandoned" THEN Reversed(rest) ELSE rest
        good == l.has[w] /\ (~l.woken[w] \/ Fault = "doubtful answer is passed on") /\ ~l.newer[w]
        a == [l EXCEPT !.out[w] = end, !.queue = queue, !.past = @ \ {w}, !.overdue = @ \ {w},
                  !.step[w] = "none", !.ends[w] = "none", !.ending[w] = "none", !.claim[w] = FALSE, !.rung[w] = FALSE,
                  !.has[w] = FALSE, !.own[w] = FALSE, !.afterEnd[w] = FALSE, !.woken[w] = FALSE, !.newer[w] = FALSE,
                  !.since[w] = {}, !.asked[w] = {}]
        b == IF first /\ queue # <<>> /\ good
             THEN [a EXCEPT !.has[Head(queue)] = TRUE, !.own[Head(queue)] = FALSE, !.afterEnd[Head(queue)] = FALSE,
                            !.since[Head(queue)] = l.since[w], !.sub = IF Feed /\ @ = "no" THEN "asked" ELSE @]
             ELSE a
    IN IF first /\ queue # <<>> /\ Fault # "next is not told" THEN [b EXCEPT !.newFirst = TRUE] ELSE b

(* LocalLock.endWith *)
EndWith(l, w, end) ==
    CASE Finished(l, w) -> l
      [] l.step[w] # "none" /\ Fault # "ends while its request is under way" ->
            IF l.ends[w] = "none" THEN [l EXCEPT !.ends[w] = end] ELSE l
      [] l.claim[w] /\ l.step[w] = "none" -> [l EXCEPT !.step[w] = "withdraw", !.ending[w] = end]
      [] OTHER -> LET a == Finish(l, w, end) IN [a EXCEPT !.step[w] = l.step[w]]

(* WaitPolicy.next *)
Policy(l, w, due) ==
    CASE l.has[w] /\ l.own[w] /\ l.afterEnd[w] -> "give up"
      [] OTHER ->
        CASE l.rel # {} /\ ~IsOver(l, w) /\ ~l.newer[w] -> "sleep"
          [] OTHER ->
            CASE ~l.has[w] \/ l.woken[w] \/ l.newer[w] -> "attempt"
              [] OTHER ->
                LET known == (HeldHere(l) /\ ~due) \/ w \in l.since[w] \/ Fault = "times out on an old answer"
                IN IF IsOver(l, w) THEN IF known /\ ~l.own[w] THEN "give up" ELSE "attempt"
                   ELSE IF due THEN "attempt" ELSE "sleep"

DecideIf(l, w, due) ==
    CASE l.step[w] # "none" \/ Finished(l, w) -> l
      [] l.closed # "no" /\ l.step[w] = "none" -> EndWith(l, w, "closed")
      [] l.ends[w] # "none" /\ l.step[w] = "none" -> EndWith(l, w, l.ends[w])
      [] OTHER ->
        IF ~AsksStore(l, w) THEN l
        ELSE CASE Policy(l, w, due) = "attempt" -> [l EXCEPT !.step[w] = "to ask"]
               [] Policy(l, w, due) = "give up" -> EndWith(l, w, "timed out")
               [] OTHER -> l
Decide(l, w) == DecideIf(l, w, FALSE)

(* LocalLock.settle *)
Settle(l, w, heldHere) ==
    LET f == First(l) IN
    CASE f \in {0, w} -> l
      [] OTHER ->
        IF heldHere \/ (l.has[f] /\ (w \in l.since[f] \/ Fault = "times out on an old answer"))
        THEN EndWith(l, w, "timed out")
        ELSE Decide(IF w \in l.asked[f] THEN l ELSE [l EXCEPT !.newer[f] = TRUE], f)

RECURSIVE SettleAll(_, _, _)
SettleAll(l, some, heldHere) ==
    IF some = {} THEN l
    ELSE LET w == CHOOSE w \in some : TRUE IN SettleAll(Settle(l, w, heldHere), some \ {w}, heldHere)
SettleOverdue(l) == SettleAll(l, l.overdue, HeldHere(l))

RECURSIVE DecideAll(_, _)
DecideAll(l, some) ==
    IF some = {} THEN l ELSE LET w == CHOOSE w \in some : TRUE IN DecideAll(Decide(l, w), some \ {w})

(* LocalLock.handle: the loop after each event. *)
RECURSIVE Handled(_)
Handled(l) ==
    IF ~l.newFirst THEN l
    ELSE LET a == SettleOverdue([l EXCEPT !.newFirst = FALSE])
         IN Handled(IF a.queue = <<>> THEN a ELSE Decide(a, Head(a.queue)))

(* LocalLock.wakeUp *)
Woken(l) ==
    IF HeldHere(l) THEN l
    ELSE DecideAll([l EXCEPT !.woken = [w \in Waiters |-> l.woken[w] \/ w \in Askers(l)]], Askers(l))

(* LocalLock.share *)
Share(l, w, h) ==
    IF l.step[w] = "none" /\ ~Finished(l, w) /\ l.st[h] = "held"
    THEN EndWith([l EXCEPT !.shares[h] = @ \cup {w}], w, "handle") ELSE l

RECURSIVE ShareAll(_, _, _)
ShareAll(l, some, h) ==
    IF some = {} THEN l
    ELSE LET w == CHOOSE w \in some : TRUE IN ShareAll(Share(l, w, h), some \ {w}, h)

(* LocalLock.takePlace and enter *)
TakePlace(l, w) ==
    LET a == [l EXCEPT !.place[w] = l.next, !.next = @ + 1]
        b == IF w \in Tries THEN [a EXCEPT !.past = @ \cup {w}] ELSE [a EXCEPT !.queue = Append(@, w)]
    IN Decide(b, w)

Enter(l, w) ==
    IF HoldsOf(l, w) = {} \/ l.closed # "no" THEN TakePlace(l, w)
    ELSE [l EXCEPT !.past = @ \cup {w}, !.step[w] = "re-enter", !.place[w] = IF @ = 0 THEN l.next ELSE @, !.next = IF l.place[w] = 0 THEN @ + 1 ELSE @]

(* Hold.lose, up to what it does without the mutex. *)
Lost(l, h) == IF l.st[h] \in {"held", "stale"} THEN [l EXCEPT !.st[h] = "lost", !.shares[h] = {}] ELSE l

(* An event, and what follows from it. *)
Becomes(l) ==
    \E a \in {Handled(l)} :
        /\ L' = a
        /\ taken' = taken \cup (IF HeldHere(a) \/ HeldHere(L) THEN (Inside(L) \cup Inside(a)) \cap (Limited \cup Tries) ELSE {})

Publish(l) == news' = (news \/ l.sub = "yes")

(* Callers. *)

Call(w) ==
    /\ L.place[w] = 0 /\ \A v \in Waiters : v < w => L.place[v] # 0
    /\ Becomes(Enter(L, w))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

Leave(w) ==
    /\ w \in Leavers \ gone /\ w \in Inside(L)
    /\ gone' = gone \cup {w} /\ Becomes(EndWith(L, w, "abandoned"))
    /\ UNCHANGED <<storeVars, wakes, countVars>>

Pass(w) ==
    /\ w \in Limited /\ w \in Inside(L) /\ ~L.over[w]
    /\ Becomes([L EXCEPT !.over[w] = TRUE])
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* LocalLock.timerRang, at the deadline. *)
Ring(w) ==
    /\ w \in Inside(L) /\ L.over[w] /\ ~L.rung[w]
    /\ LET a == [L EXCEPT !.rung[w] = TRUE]
           b == IF AsksStore(a, w) THEN a ELSE Settle([a EXCEPT !.overdue = @ \cup {w}], w, HeldHere(a))
       IN Becomes(Decide(b, w))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

Poll(w) ==
    /\ Polls /\ w \in Askers(L) /\ L.step[w] = "none"
    /\ Becomes(DecideIf(L, w, TRUE))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* LocalLock.passesOn: to whom the claim of a hold goes, if anybody. *)
Heirs(l, h) ==
    LET able == IF Fault = "passed on to one that left" THEN {w \in Waiters : l.out[w] = "abandoned" /\ l.st[w] = "none"}
                ELSE {w \in Inside(l) : l.step[w] = "none" /\ l.ends[w] = "none" /\ ~IsOver(l, w)}
        next == IF Fault = "passed on to the last" /\ l.queue # <<>> THEN l.queue[Len(l.queue)] ELSE First(l)
    IN IF ~PassesOn \/ l.closed # "no" THEN {}
       ELSE IF Fault = "passed on to one that left" THEN able ELSE able \cap {next}

(* Hold.passOn and LocalLock.finishWith *)
PassOn(l, h, w) ==
    LET a == [l EXCEPT !.shares[h] = {}, !.st[h] = IF Fault = "passed on and released" THEN "releasing" ELSE "over", !.map = (@ \ {h}) \cup {w},
                       !.st[w] = "held", !.shares[w] = {w}, !.claimOf[w] = l.claimOf[h],
                       !.reap = IF l.claim[w] THEN @ \cup {w} ELSE @,
                       !.has[w] = TRUE, !.own[w] = FALSE, !.since[w] = Inside(l) \cap (Limited \cup Tries), !.woken[w] = FALSE, !.newer[w] = FALSE]
    IN IF Finished(l, w) THEN a ELSE Finish(a, w, "handle")

HandOver(w) ==
    /\ L.out[w] = "handle"
    /\ \E h \in Waiters :
        /\ L.shares[h] = {w} /\ L.st[h] = "held"
        /\ \E next \in Heirs(L, h) : Becomes(PassOn(L, h, next))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* Hold.release: of a handle, or of one that nobody waits for any more. *)
Release(w) ==
    /\ L.out[w] = "handle"
    /\ \E h \in Waiters :
        /\ w \in L.shares[h]
        /\ LET rest == L.shares[h] \ {w} IN
           Becomes(CASE L.st[h] = "stale" -> Lost(L, h)
                     [] L.st[h] = "held" /\ ((rest # {} /\ Fault # "first release frees") \/ Fault = "last release frees nothing") -> [L EXCEPT !.shares[h] = rest]
                     [] OTHER -> [L EXCEPT !.shares[h] = rest, !.st[h] = "releasing", !.map = @ \ {h}, !.rel = @ \cup {h}])
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* Attempts: StoreSteps.attempt. *)

(* LocalLock.beginAttempt *)
Begin(w) ==
    /\ L.step[w] = "to ask"
    /\ IF L.ends[w] = "none" /\ L.closed = "no" /\ Policy(L, w, Polls) = "attempt"
       THEN Becomes([L EXCEPT !.step[w] = "asked", !.claim[w] = TRUE, !.woken[w] = FALSE, !.newer[w] = FALSE,
                              !.asked[w] = Inside(L) \cap (Limited \cup Tries)])
       ELSE Becomes(Decide([L EXCEPT !.step[w] = "none"], w))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

Serve(w) ==
    /\ L.step[w] = "asked"
    /\ lock' = IF lock = Free THEN w ELSE lock
    /\ L' = [L EXCEPT !.step[w] = IF lock = Free THEN "granted" ELSE "refused"]
    /\ UNCHANGED <<late, news, wakes, gone, taken, countVars>>

(* Nobody knows whether it was carried out. It may be later. *)
Fail(w) ==
    /\ L.step[w] = "asked" /\ failures < MaxFailures /\ failures' = failures + 1
    /\ \/ lock = Free /\ lock' = w /\ UNCHANGED late
       \/ late' = late \cup {w} /\ UNCHANGED lock
       \/ UNCHANGED <<lock, late>>
    /\ L' = [L EXCEPT !.step[w] = "failed", !.reap = IF Fault = "unknown attempt is kept" THEN @ ELSE @ \cup {w}]
    /\ UNCHANGED <<news, wakes, gone, taken, rivals, losses>>

CarriedOutLate(w) ==
    /\ w \in late /\ lock = Free
    /\ lock' = w /\ late' = late \ {w}
    /\ UNCHANGED <<news, wakes, L, gone, taken, countVars>>

HearGrant(w) ==
    /\ L.step[w] = "granted"
    /\ LET a == [L EXCEPT !.step[w] = "none", !.claim[w] = FALSE]
           older == {h \in L.map : SameOwner(h, w)}
           dead == IF older = {} THEN a ELSE Lost(a, CHOOSE h \in older : TRUE)
           fresh == [dead EXCEPT !.map = (@ \ older) \cup {w}, !.st[w] = "held", !.shares[w] = {w},
                                 !.has[w] = TRUE, !.since[w] = L.asked[w], !.woken[w] = FALSE, !.newer[w] = FALSE]
           done == Finish(fresh, w, "handle")
       IN Becomes(IF L.closed # "no"
                  THEN Finish(IF Fault = "grant after the close is kept" THEN a ELSE [a EXCEPT !.reap = @ \cup {w}], w, "closed")
                  ELSE ShareAll(done, {v \in Inside(done) : {v, w} \subseteq Alike}, w))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* The validity ran out on the way. *)
HearLateGrant(w) ==
    /\ L.step[w] = "granted" /\ failures < MaxFailures /\ failures' = failures + 1
    /\ LET a == [L EXCEPT !.step[w] = "none", !.claim[w] = FALSE, !.woken[w] = TRUE,
                          !.reap = IF Fault = "late grant is kept" THEN @ ELSE @ \cup {w}]
       IN Becomes(Finish(a, w, IF L.closed = "no" THEN "failed" ELSE "closed"))
    /\ UNCHANGED <<storeVars, wakes, gone, rivals, losses>>

HearRefusal(w) ==
    /\ L.step[w] = "refused"
    /\ LET a == [L EXCEPT !.step[w] = "none", !.has[w] = TRUE, !.own[w] = TRUE, !.afterEnd[w] = IsOver(L, w), !.since[w] = L.asked[w],
                          !.woken[w] = IF Fault = "wake-up during a request is forgotten" THEN FALSE ELSE @,
                          !.sub = IF Feed /\ @ = "no" /\ w \notin Tries THEN "asked" ELSE @]
           b == IF HoldsOf(a, w) = {} THEN a ELSE Share(a, w, CHOOSE h \in HoldsOf(a, w) : TRUE)
       IN \E c \in {Handled(Decide(SettleOverdue(b), w))} :
          /\ L' = c
          /\ taken' = taken \cup L.asked[w] \cup (IF HeldHere(c) THEN Inside(L) \cap (Limited \cup Tries) ELSE {})
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

RECURSIVE FinishAll(_, _)
FinishAll(l, some) ==
    IF some = {} THEN l ELSE LET w == CHOOSE w \in some : TRUE IN FinishAll(Finish(l, w, "failed"), some \ {w})

HearFailure(w) ==
    /\ L.step[w] = "failed"
    /\ LET a == [L EXCEPT !.step[w] = "none", !.claim[w] = FALSE, !.woken[w] = TRUE]
           all == IF w = First(L) THEN {L.queue[i] : i \in 1..Len(L.queue)} ELSE {w}
           b == IF w = First(L) THEN [a EXCEPT !.queue = <<>>] ELSE a
       IN Becomes(IF L.closed # "no" THEN Finish(a, w, "closed") ELSE FinishAll(b, all))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* StoreSteps.withdraw: the claim was refused, so the store has nothing to free. *)
Withdraw(w) ==
    /\ L.step[w] = "withdraw"
    /\ \/ failures' = failures /\ Becomes(Finish(L, w, L.ending[w]))
       \/ failures < MaxFailures /\ failures' = failures + 1 /\ Becomes(Finish([L EXCEPT !.reap = @ \cup {w}], w, L.ending[w]))
    /\ UNCHANGED <<storeVars, wakes, gone, rivals, losses>>

(* StoreSteps.reenter and LocalLock.reentered *)
Reenter(w) ==
    /\ L.step[w] = "re-enter"
    /\ LET a == [L EXCEPT !.step[w] = "none"]
           own == HoldsOf(L, w)
           held == {h \in own : L.st[h] = "held" \/ (Fault = "dead hold is shared" /\ L.st[h] = "stale")}
       IN Becomes(IF held # {}
                  THEN Finish([a EXCEPT !.shares[CHOOSE h \in held : TRUE] = @ \cup {w}], w, "handle")
                  ELSE Enter([a EXCEPT !.map = @ \ own, !.past = @ \ {w}], w))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* The release of the last handle: HoldRelease.giveBack, LocalLock.mayBeFree and releaseEnded. *)

ReleaseAt(h) ==
    /\ L.st[h] = "releasing"
    /\ LET c == L.claimOf[h] IN
       \/ /\ lock' = IF lock = c THEN Free ELSE lock
          /\ IF lock = c THEN Publish(L) ELSE UNCHANGED news
          /\ L' = [L EXCEPT !.st[h] = "released"] /\ UNCHANGED failures
       \/ /\ failures < MaxFailures /\ failures' = failures + 1
          /\ \/ lock' = IF lock = c THEN Free ELSE lock
             \/ UNCHANGED lock
          /\ UNCHANGED news
          /\ L' = [L EXCEPT !.st[h] = "ending", !.reap = @ \cup {c}]
    /\ UNCHANGED <<late, wakes, gone, taken, rivals, losses>>

TellFree(h) ==
    /\ L.st[h] = "released"
    /\ LET a == [L EXCEPT !.st[h] = "ending"] IN Becomes(IF Fault = "release wakes nobody" THEN a ELSE Woken(a))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

ReleaseEnded(h) ==
    /\ L.st[h] = "ending"
    /\ LET a == [L EXCEPT !.st[h] = "over", !.rel = @ \ {h}]
       IN Becomes(IF Fault = "end of a release is not told" THEN a ELSE DecideAll(a, Askers(a)))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* A loss. The deadline may have passed before the engine acts on it. *)

DeadlinePasses(h) ==
    /\ L.st[h] = "held" /\ losses < MaxLosses /\ losses' = losses + 1
    /\ Becomes([L EXCEPT !.st[h] = "stale"])
    /\ UNCHANGED <<storeVars, wakes, gone, rivals, failures>>

Expire(h) ==
    /\ L.st[h] = "stale" /\ Becomes(Lost(L, h))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

LossIsTold(h) ==
    /\ L.st[h] = "lost" /\ Becomes([L EXCEPT !.st[h] = "told", !.map = @ \ {h}])
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

LossWakes(h) ==
    /\ L.st[h] = "told" /\ Becomes(Woken([L EXCEPT !.st[h] = "over", !.reap = @ \cup {L.claimOf[h]}]))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* ClaimReaper. Of a hold it wakes in any case, of an attempt if it has found it. *)
Reap(h) ==
    /\ h \in L.reap /\ (lock = h \/ h \notin late)
    /\ lock' = IF lock = h THEN Free ELSE lock
    /\ IF lock = h THEN Publish(L) ELSE UNCHANGED news
    /\ wakes' = (wakes \/ lock = h \/ L.st[h] # "none" \/ \E g \in Waiters : g # h /\ L.claimOf[g] = h)
    /\ L' = [L EXCEPT !.reap = @ \ {h}]
    /\ UNCHANGED <<late, gone, taken, countVars>>

ReaperWakes ==
    /\ wakes /\ wakes' = FALSE /\ Becomes(IF Fault = "reaper wakes nobody" THEN L ELSE Woken(L))
    /\ UNCHANGED <<storeVars, gone, countVars>>

(* Messages. *)

Listening ==
    /\ L.sub = "asked"
    /\ LET a == [L EXCEPT !.sub = "yes"] IN Becomes(IF Fault = "subscription wakes nobody" THEN a ELSE Woken(a))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

Message ==
    /\ news /\ news' = FALSE
    /\ \/ Becomes(Woken(L))
       \/ Polls /\ UNCHANGED <<L, taken>>
    /\ UNCHANGED <<lock, late, wakes, gone, countVars>>

(* The rival. *)

RivalTakes ==
    /\ lock = Free /\ rivals < MaxRivals /\ rivals' = rivals + 1 /\ lock' = Rival
    /\ UNCHANGED <<late, news, wakes, L, gone, taken, failures, losses>>

RivalLeaves ==
    /\ lock = Rival /\ lock' = Free
    /\ Publish(L) \/ (Polls /\ UNCHANGED news)
    /\ UNCHANGED <<late, wakes, L, gone, taken, countVars>>

(* LocalLocks.close and LocalLock.close *)

Close ==
    /\ Closes /\ L.closed = "no" /\ L' = [L EXCEPT !.closed = "begun"]
    /\ UNCHANGED <<storeVars, wakes, gone, taken, countVars>>

RECURSIVE LoseAll(_, _)
LoseAll(l, some) ==
    IF some = {} THEN l ELSE LET h == CHOOSE h \in some : TRUE IN LoseAll(Lost(l, h), some \ {h})
RECURSIVE EndAll(_, _)
EndAll(l, some) ==
    IF some = {} THEN l ELSE LET w == CHOOSE w \in some : TRUE IN EndAll(EndWith(l, w, "closed"), some \ {w})

CloseLock ==
    /\ L.closed = "begun"
    /\ LET a == [L EXCEPT !.closed = "done"] IN Becomes(EndAll(LoseAll(a, a.map), Inside(a)))
    /\ UNCHANGED <<storeVars, wakes, gone, countVars>>

(* What the engine and the store do, if nothing keeps them from it. *)
Progress ==
    \/ \E w \in Waiters :
        \/ Ring(w) \/ Poll(w) \/ Release(w) \/ HandOver(w) \/ Begin(w) \/ Serve(w) \/ HearGrant(w) \/ HearRefusal(w) \/ HearFailure(w)
        \/ Withdraw(w) \/ Reenter(w) \/ ReleaseAt(w) \/ TellFree(w) \/ ReleaseEnded(w) \/ Expire(w) \/ LossIsTold(w) \/ LossWakes(w) \/ Reap(w)
    \/ ReaperWakes \/ Listening \/ Message \/ RivalLeaves \/ CloseLock

Next ==
    \/ Progress
    \/ \E w \in Waiters :
        Call(w) \/ Leave(w) \/ Pass(w) \/ Fail(w) \/ CarriedOutLate(w) \/ HearLateGrant(w) \/ DeadlinePasses(w)
    \/ RivalTakes \/ Close

(* Whether nothing is left to do: no step is under way, no timer is set, no message is on its way. `Progress` is not enabled then. *)
Quiet ==
    /\ ~news /\ ~wakes /\ lock # Rival /\ L.sub # "asked" /\ L.closed # "begun"
    /\ \A h \in Waiters : L.st[h] \in {"none", "held", "over"} /\ (h \in L.reap => lock # h /\ h \in late)
    /\ \A h \in Waiters : L.shares[h] = {}
    /\ \A w \in Inside(L) : L.step[w] = "none" /\ (L.over[w] => L.rung[w]) /\ (Polls => w \notin Askers(L))

Spec == Init /\ [][Next]_vars

(* Nothing stands still while something is left to do. As each run ends unless waiters poll, no more fairness is needed. *)
FairSpec == Spec /\ ([]<>Quiet \/ []<><<TRUE>>_vars)

Held == {h \in Waiters : L.st[h] = "held"}

(* A hold is shared by its owner alone, and nothing is added to it once it is over. *)
Rule41_OwnerAlone == \A h \in Waiters : \A w \in L.shares[h] : w = h \/ {w, h} \subseteq Alike

Rule42_HeldUntilLastRelease == \A h \in Held : lock = L.claimOf[h] /\ L.shares[h] # {}

Rule42_NoHandleOfReleased == \A h \in Waiters : L.st[h] \in {"releasing", "released", "ending", "over"} => L.shares[h] = {}

Rule44_OwnersExclude == Cardinality(Held) <= 1

Rule45_DeadHoldIsNotShared == [][\A h \in Waiters : ~(L'.shares[h] \subseteq L.shares[h]) => L.st[h] \in {"none", "held"}]_vars

(* What the store has granted belongs to a request, a hold, or the reaper. *)
Rule56_NoGrantWithoutOwner == \A w \in Waiters :
    lock = w => \/ L.step[w] \in {"granted", "failed"} \/ w \in L.reap
                \/ \E h \in Waiters : L.claimOf[h] = w /\ L.st[h] \in {"held", "stale", "lost", "told", "releasing"}

(* Whose time is over knows that somebody had the lock in it. *)
Rule16_NoOldNews == \A w \in Waiters : L.out[w] = "timed out" => w \in taken

OneAsks == \A i \in 1..Len(L.queue) : L.step[L.queue[i]] \in {"to ask", "asked", "granted", "refused", "failed", "withdraw"} => i = 1

Rule75_Order == [][\A w \in Waiters \ Tries :
    L.st[w] = "none" /\ L'.st[w] = "held" => \A i \in 1..Len(L.queue) : L.place[L.queue[i]] >= L.place[w]]_vars

(* Not true: an owner whose hold ends while it re-enters takes its place behind those that came meanwhile. *)
InOrderOfCalls == [][\A w \in Waiters \ Tries :
    L.st[w] = "none" /\ L'.st[w] = "held" => \A i \in 1..Len(L.queue) : L.queue[i] >= w]_vars

Rule76_NoHoldAfterwards ==
    \A w \in Waiters : L.out[w] \notin {"none", "handle"} =>
        L.st[w] \notin {"held", "stale"} /\ \A h \in Waiters : w \notin L.shares[h]

Rule76_EndIsFinal == [][\A w \in Waiters : L.out[w] # "none" => L'.out[w] = L.out[w]]_vars

(* Each acquire ends, with the lock unless it gave up: when nothing is left to do, nobody sleeps. *)
Rule72_NobodySleepsForEver == Quiet => Inside(L) = {}

EachAcquireEnds == \A w \in Waiters : w \in Inside(L) ~> Finished(L, w)

(* And nothing is left at the store, but what was sent long ago and comes after all. *)
Rule56_NothingIsLeft == Quiet => L.map = {} /\ L.rel = {} /\ (lock = Free \/ late # {} \/ lock \in L.reap)

================================================================================
