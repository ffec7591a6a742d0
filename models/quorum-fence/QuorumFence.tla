------------------------------ MODULE QuorumFence ------------------------------
(* The fencing token of a lock on a majority of independent nodes, as `QuorumAttempt`, `string-acquire.lua` and `string-raise.lua` give it.

   A node has one counter for all its locks, and one record of the lock that is modelled. An attempt asks all nodes. A node whose record is free
   writes one, and gives a token above its counter: the proposed one, if that is higher and not too far ahead of the node's clock. Once a
   quorum has granted it, the attempt compares the tokens, raises the lower ones to the highest, and ends when a quorum carries that.

   Nothing is assumed about leases, pauses and the network: a record may end at any moment (so releases, undone grants and a crash that keeps the counter
   are no steps of their own), and a request or an answer may come at any time, more than once, or never. An attempt that is given up simply makes no
   further step; the next one is another attempt.

   Clocks matter only if counters are lost. They tick with `now`, and a node's clock is ahead of it by at most `Skew`. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Nodes, Attempts,
    Nobody,        \* the owner of a free record
    Quorum,        \* how many nodes have to grant
    Proposals,     \* tokens that attempts propose; 0 is none
    MaxOthers,     \* grants of other locks
    MaxCopies,     \* requests that reach a node once more
    MaxRepeats,    \* granted attempts that are repeated, with the same id
    MaxLosses,     \* restarts of a node that lose its data
    MaxNow,        \* the last tick
    Skew,          \* how far a node's clock may be ahead of `now`
    Ahead,         \* how far a node's tokens may be ahead of its clock
    KeepOut,       \* ticks that a node without its data grants nothing
    \* What can be broken:
    Raises,        \* lower tokens are raised
    ChecksOwner,   \* a node raises the token of a record that is there only
    CountsLate,    \* nodes that grant after the comparison are raised, and counted, too
    Compares,      \* the token is the highest of the answers, not the proposal
    ComparesOld,   \* an answer "granted before" counts only with the token of the earlier grant
    ChecksGrant    \* a raise changes no record that a copy of the request has written since, with a higher token

Max(S) == CHOOSE x \in S : \A y \in S : y <= x

VARIABLES
    record, counter,        \* of each node: [by, token]; the last token
    now, skew, outUntil,
    phase, proposal,        \* of each attempt: "idle", "asking", "raising", "granted"
    asks, raises,           \* requests on their way: [by, to], and [by, to, token]
    answer, old,            \* the tokens that were answered in time, 0 if none; nodes that said "granted before"
    token, carrying,        \* the highest answer; nodes known to carry it
    grant,                  \* the token that was given to the caller, 0 if none
    floor,                  \* the highest token that was given to another caller when this one began
    others, copies, repeats, losses

nodeVars == <<record, counter>>
clockVars == <<now, skew, outUntil>>
countVars == <<others, copies, repeats, losses>>
requestVars == <<asks, raises>>
attemptVars == <<phase, proposal, answer, old, token, carrying, grant, floor>>
vars == <<nodeVars, clockVars, requestVars, attemptVars, countVars>>

Free == [by |-> Nobody, token |-> 0]

Init ==
    /\ record = [n \in Nodes |-> Free] /\ counter = [n \in Nodes |-> 0]
    /\ now = 0 /\ skew \in [Nodes -> 0..Skew] /\ outUntil = [n \in Nodes |-> 0]
    /\ phase = [a \in Attempts |-> "idle"] /\ proposal = [a \in Attempts |-> 0]
    /\ answer = [a \in Attempts |-> [n \in Nodes |-> 0]] /\ old = [a \in Attempts |-> {}]
    /\ token = [a \in Attempts |-> 0] /\ carrying = [a \in Attempts |-> {}]
    /\ asks = {} /\ raises = {}
    /\ grant = [a \in Attempts |-> 0] /\ floor = [a \in Attempts |-> 0]
    /\ others = 0 /\ copies = 0 /\ repeats = 0 /\ losses = 0

Clock(n) == now + skew[n]

(* The next token of a node. It is never more than `Ahead` ahead of the clock: a node grants less often than its clock ticks. *)
Next1(n, proposed) ==
    Max({counter[n] + 1, Clock(n), IF proposed <= Clock(n) + Ahead THEN proposed ELSE 0})
Gives(n, proposed) == Next1(n, proposed) <= Clock(n) + Ahead

Begin(a) ==
    /\ phase[a] = "idle"
    /\ \E p \in Proposals : proposal' = [proposal EXCEPT ![a] = p]
    /\ phase' = [phase EXCEPT ![a] = "asking"]
    /\ floor' = [floor EXCEPT ![a] = Max({grant[b] : b \in Attempts})]
    /\ asks' = asks \cup [by : {a}, to : Nodes]
    /\ UNCHANGED <<nodeVars, clockVars, countVars, raises, answer, old, token, carrying, grant>>

(* The request comes again after the grant: `Claim.attempt` may be called twice. *)
Repeat(a) ==
    /\ phase[a] = "granted" /\ repeats < MaxRepeats /\ repeats' = repeats + 1
    /\ phase' = [phase EXCEPT ![a] = "asking"]
    /\ floor' = [floor EXCEPT ![a] = Max({grant[b] : b \in Attempts \ {a}} \cup {0})]
    /\ asks' = asks \cup [by : {a}, to : Nodes]
    /\ UNCHANGED <<nodeVars, clockVars, others, copies, losses, proposal, raises, answer, old, token, carrying, grant>>

(* A request arrives, and perhaps a copy of it later. *)
Leaves(requests, request) ==
    \/ /\ requests' = requests \ {request} /\ UNCHANGED copies
    \/ /\ copies < MaxCopies /\ copies' = copies + 1 /\ UNCHANGED requests

(* The answer of a node comes in time, and is the first one of it. *)
Hear(a, n, t, isOld) ==
    /\ phase[a] = "asking" /\ answer[a][n] = 0
    /\ answer' = [answer EXCEPT ![a][n] = t]
    /\ old' = [old EXCEPT ![a] = IF isOld THEN @ \cup {n} ELSE @]
    /\ UNCHANGED raises

(* It is lost, or comes after the comparison. *)
Miss(a, n) ==
    /\ UNCHANGED <<answer, old>>
    /\ raises' = IF CountsLate /\ phase[a] = "raising" /\ n \notin carrying[a]
                 THEN raises \cup {[by |-> a, to |-> n, token |-> token[a]]} ELSE raises

(* string-acquire.lua *)
Acquire(a, n) ==
    /\ now >= outUntil[n]
    /\ [by |-> a, to |-> n] \in asks /\ Leaves(asks, [by |-> a, to |-> n])
    /\ \/ /\ record[n].by = a
          /\ Hear(a, n, record[n].token, TRUE)
          /\ UNCHANGED nodeVars
       \/ /\ record[n].by = Nobody /\ Gives(n, proposal[a])
          /\ LET t == Next1(n, proposal[a]) IN
                /\ counter' = [counter EXCEPT ![n] = t]
                /\ record' = [record EXCEPT ![n] = [by |-> a, token |-> t]]
                /\ Hear(a, n, t, FALSE) \/ Miss(a, n)
    /\ UNCHANGED <<clockVars, others, repeats, losses, phase, proposal, token, carrying, grant, floor>>

Counted(a) == {n \in Nodes : answer[a][n] # 0}

Forget(a) ==
    /\ answer' = [answer EXCEPT ![a] = [n \in Nodes |-> 0]] /\ old' = [old EXCEPT ![a] = {}]

(* QuorumAttempt.decideVotes and unifyTokens *)
Compare(a) ==
    /\ phase[a] = "asking" /\ Cardinality(Counted(a)) >= Quorum
    /\ LET same == {n \in old[a] : ComparesOld => answer[a][n] = grant[a]}
           highest == IF Compares \/ proposal[a] = 0 THEN Max({answer[a][n] : n \in Counted(a)}) ELSE proposal[a]
           lower == IF Raises /\ Compares THEN {n \in Counted(a) : answer[a][n] < highest} ELSE {}
       IN IF grant[a] # 0 /\ Cardinality(same) >= Quorum
          THEN /\ phase' = [phase EXCEPT ![a] = "granted"]
               /\ UNCHANGED <<token, carrying, raises>>
          ELSE /\ phase' = [phase EXCEPT ![a] = "raising"]
               /\ token' = [token EXCEPT ![a] = highest]
               /\ carrying' = [carrying EXCEPT ![a] = Counted(a) \ lower]
               /\ raises' = raises \cup [by : {a}, to : lower, token : {highest}]
    /\ Forget(a)
    /\ UNCHANGED <<nodeVars, clockVars, countVars, asks, proposal, grant, floor>>

(* string-raise.lua *)
Raise(r) ==
    /\ Leaves(raises, r)
    /\ ChecksOwner => record[r.to].by = r.by
    /\ ChecksGrant /\ record[r.to].by = r.by => record[r.to].token <= r.token
    /\ counter' = [counter EXCEPT ![r.to] = Max({@, r.token})]
    /\ record' = [record EXCEPT ![r.to] = IF @.by = r.by THEN [@ EXCEPT !.token = r.token] ELSE @]
    /\ \/ UNCHANGED carrying
       \/ /\ phase[r.by] = "raising" /\ token[r.by] = r.token
          /\ carrying' = [carrying EXCEPT ![r.by] = @ \cup {r.to}]
    /\ UNCHANGED <<clockVars, others, repeats, losses, asks, phase, proposal, answer, old, token, grant, floor>>

Grant(a) ==
    /\ phase[a] = "raising" /\ Cardinality(carrying[a]) >= Quorum
    /\ phase' = [phase EXCEPT ![a] = "granted"] /\ grant' = [grant EXCEPT ![a] = token[a]]
    /\ token' = [token EXCEPT ![a] = 0] /\ carrying' = [carrying EXCEPT ![a] = {}]
    /\ UNCHANGED <<nodeVars, clockVars, countVars, requestVars, proposal, answer, old, floor>>

End(n) ==
    /\ record[n] # Free /\ record' = [record EXCEPT ![n] = Free]
    /\ UNCHANGED <<counter, clockVars, countVars, requestVars, attemptVars>>

OtherLock(n) ==
    /\ others < MaxOthers /\ others' = others + 1 /\ now >= outUntil[n] /\ Gives(n, 0)
    /\ counter' = [counter EXCEPT ![n] = Next1(n, 0)]
    /\ UNCHANGED <<record, clockVars, copies, repeats, losses, requestVars, attemptVars>>

Lose(n) ==
    /\ losses < MaxLosses /\ losses' = losses + 1
    /\ record' = [record EXCEPT ![n] = Free] /\ counter' = [counter EXCEPT ![n] = 0]
    /\ outUntil' = [outUntil EXCEPT ![n] = now + KeepOut]
    /\ UNCHANGED <<now, skew, others, copies, repeats, requestVars, attemptVars>>

Tick == now < MaxNow /\ now' = now + 1 /\ UNCHANGED <<nodeVars, skew, outUntil, requestVars, attemptVars, countVars>>

Next ==
    \/ \E a \in Attempts : Begin(a) \/ Repeat(a) \/ Compare(a) \/ Grant(a)
    \/ \E a \in Attempts, n \in Nodes : Acquire(a, n)
    \/ \E r \in raises : Raise(r)
    \/ \E n \in Nodes : End(n) \/ OtherLock(n) \/ Lose(n)
    \/ Tick

Spec == Init /\ [][Next]_vars

Granted == {a \in Attempts : phase[a] = "granted"}

(* No two grants have the same token. *)
Unique == \A a, b \in Granted : a # b => grant[a] # grant[b]

(* A grant has a higher token than all that were given before it was asked for. *)
RealTime == \A a \in Granted : grant[a] > floor[a]

Symmetry == Permutations(Nodes) \cup Permutations(Attempts)
=============================================================================
