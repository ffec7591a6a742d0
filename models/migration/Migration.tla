------------------------------- MODULE Migration -------------------------------
(* A lock that moves from one store to another while its clients run, as `MigratingLockProvider`, `BothClaim`, `GuardedClaim` and `Presence` do it.

   A client is in one of three phases: it takes the lock in the old store, in both (the old one first), or in the new one. To change the phase it
   is restarted: it tells in its stores that it is alive in its phase, looks for clients two phases away, and makes the tokens of its store go on
   above those of the other. Both stores count their tokens by themselves.

   A client may die at any moment. Its locks are in force until their leases end, which may be at any later moment.
   A client that holds nothing may be paused for so long that it is not known to be alive any more. Before it takes a lock again it tells that it is alive
   and looks, as at its start. What a client does that was paused past the lease of a lock is not modelled: against that there are the tokens. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Clients,
    Nobody,        \* the owner of a free lock
    MaxToken,
    MaxStarts,     \* restarts of all clients
    \* What can be broken:
    Barrier,       \* a client does not start in the first or the last phase while one in the other is alive
    TellsFirst,    \* it tells that it is alive before it looks for others
    LooksAgain,    \* a client that was forgotten looks again before it takes a lock
    Covers,        \* it is known to be alive for as long as a lock of it is in force
    Raises,        \* in BOTH the smaller counter is raised to the token of the grant
    Seeds          \* a client that starts in the first or the last phase raises its store's counter to the other's

Stores == {"from", "to"}
Phases == {"FROM_ONLY", "BOTH", "TO_ONLY"}
Max(x, y) == IF x > y THEN x ELSE y

VARIABLES
    lock, counter,   \* of each store
    phase, step,     \* of each client
    told,            \* clients that are known to be alive in their phase
    token,           \* of each client: the tokens that the stores gave it
    seen,            \* the other store's counter, as the client has read it
    last,            \* the highest token that was granted
    ordered,         \* whether each grant had a higher token than all before
    starts

vars == <<lock, counter, phase, step, told, token, seen, last, ordered, starts>>

StoresOf(p) == CASE p = "FROM_ONLY" -> {"from"} [] p = "TO_ONLY" -> {"to"} [] OTHER -> Stores
Opposite(p) == IF p = "FROM_ONLY" THEN "TO_ONLY" ELSE "FROM_ONLY"
Home(p) == IF p = "FROM_ONLY" THEN "from" ELSE "to"
Other(s) == IF s = "from" THEN "to" ELSE "from"
Neighbours(p) == IF p = "BOTH" THEN {"FROM_ONLY", "TO_ONLY"} ELSE {"BOTH"}

Init ==
    /\ lock = [s \in Stores |-> Nobody] /\ counter = [s \in Stores |-> 0]
    /\ phase = [c \in Clients |-> "FROM_ONLY"] /\ step = [c \in Clients |-> "idle"]
    /\ told = Clients
    /\ token = [c \in Clients |-> [s \in Stores |-> 0]] /\ seen = [c \in Clients |-> 0]
    /\ last = 0 /\ ordered = TRUE /\ starts = 0

Go(c, s) == step' = [step EXCEPT ![c] = s]

(* Changing the phase. *)

Restart(c, p) ==
    /\ step[c] = "idle" /\ starts < MaxStarts /\ p \in Neighbours(phase[c])
    /\ phase' = [phase EXCEPT ![c] = p] /\ starts' = starts + 1
    /\ told' = IF TellsFirst \/ p = "BOTH" THEN told \cup {c} ELSE told \ {c}
    /\ Go(c, IF p = "BOTH" THEN "idle" ELSE "looking")
    /\ UNCHANGED <<lock, counter, token, seen, last, ordered>>

Look(c) ==
    /\ step[c] = "looking"
    /\ IF Barrier /\ \E d \in told : phase[d] = Opposite(phase[c])
       THEN /\ phase' = [phase EXCEPT ![c] = "BOTH"] /\ Go(c, "idle") /\ told' = told \cup {c}
       ELSE /\ Go(c, IF Seeds THEN "reading" ELSE "telling") /\ UNCHANGED <<phase, told>>
    /\ UNCHANGED <<lock, counter, token, seen, last, ordered, starts>>

Read(c) ==
    /\ step[c] = "reading"
    /\ seen' = [seen EXCEPT ![c] = counter[Other(Home(phase[c]))]] /\ Go(c, "seeding")
    /\ UNCHANGED <<lock, counter, phase, told, token, last, ordered, starts>>

Seed(c) ==
    /\ step[c] = "seeding"
    /\ counter' = [counter EXCEPT ![Home(phase[c])] = Max(@, seen[c])] /\ Go(c, "telling")
    /\ UNCHANGED <<lock, phase, told, token, seen, last, ordered, starts>>

Tell(c) ==
    /\ step[c] = "telling"
    /\ told' = told \cup {c} /\ Go(c, "idle")
    /\ UNCHANGED <<lock, counter, phase, token, seen, last, ordered, starts>>

(* A pause past the lock that stands for the client, and what comes after it. *)

Pause(c) ==
    /\ step[c] = "idle" /\ c \in told /\ phase[c] # "BOTH" /\ starts < MaxStarts
    /\ told' = told \ {c} /\ starts' = starts + 1
    /\ UNCHANGED <<lock, counter, phase, step, token, seen, last, ordered>>

Again(c) ==
    /\ step[c] = "idle" /\ c \notin told
    /\ told' = told \cup {c} /\ Go(c, IF LooksAgain THEN "looking" ELSE "idle")
    /\ UNCHANGED <<lock, counter, phase, token, seen, last, ordered, starts>>

(* Taking and giving back the lock. *)

Take(c, s) ==
    /\ lock[s] = Nobody /\ counter[s] < MaxToken
    /\ lock' = [lock EXCEPT ![s] = c]
    /\ counter' = [counter EXCEPT ![s] = @ + 1]
    /\ token' = [token EXCEPT ![c][s] = counter[s] + 1]

Granted(t) == /\ ordered' = (ordered /\ t > last) /\ last' = Max(last, t)

TakeOne(c) ==
    /\ step[c] = "idle" /\ phase[c] # "BOTH" /\ c \in told
    /\ LET s == Home(phase[c]) IN Take(c, s) /\ Granted(counter[s] + 1)
    /\ Go(c, "holding")
    /\ UNCHANGED <<phase, told, seen, starts>>

TakeOld(c) ==
    /\ step[c] = "idle" /\ phase[c] = "BOTH"
    /\ Take(c, "from") /\ Go(c, "half")
    /\ UNCHANGED <<phase, told, seen, last, ordered, starts>>

TakeNew(c) ==
    /\ step[c] = "half" /\ Take(c, "to") /\ Go(c, "raising")
    /\ UNCHANGED <<phase, told, seen, last, ordered, starts>>

GiveUp(c) ==
    /\ step[c] = "half" /\ lock["to"] # Nobody
    /\ lock' = [lock EXCEPT !["from"] = IF @ = c THEN Nobody ELSE @] /\ Go(c, "idle")
    /\ UNCHANGED <<counter, phase, told, token, seen, last, ordered, starts>>

Raise(c) ==
    /\ step[c] = "raising"
    /\ LET t == Max(token[c]["from"], token[c]["to"]) IN
        /\ counter' = IF Raises THEN [s \in Stores |-> Max(counter[s], t)] ELSE counter
        /\ Granted(t)
    /\ Go(c, "holding")
    /\ UNCHANGED <<lock, phase, told, token, seen, starts>>

(* In BOTH the new store's lock is given back first. *)
Release(c) ==
    /\ step[c] \in {"holding", "leaving"}
    /\ LET s == IF phase[c] # "BOTH" THEN Home(phase[c]) ELSE IF step[c] = "holding" THEN "to" ELSE "from" IN
        /\ lock' = [lock EXCEPT ![s] = IF @ = c THEN Nobody ELSE @]
        /\ Go(c, IF phase[c] = "BOTH" /\ step[c] = "holding" THEN "leaving" ELSE "idle")
    /\ UNCHANGED <<counter, phase, told, token, seen, last, ordered, starts>>

(* Dying. *)

Die(c) ==
    /\ step[c] # "dead"
    /\ Go(c, "dead")
    /\ UNCHANGED <<lock, counter, phase, told, token, seen, last, ordered, starts>>

LeaseEnds(c, s) ==
    /\ step[c] = "dead" /\ lock[s] = c
    /\ lock' = [lock EXCEPT ![s] = Nobody]
    /\ UNCHANGED <<counter, phase, step, told, token, seen, last, ordered, starts>>

Forgotten(c) ==
    /\ step[c] = "dead" /\ c \in told
    /\ Covers => \A s \in Stores : lock[s] # c
    /\ told' = told \ {c}
    /\ UNCHANGED <<lock, counter, phase, step, token, seen, last, ordered, starts>>

Next == \E c \in Clients :
    \/ \E p \in Phases : Restart(c, p)
    \/ Pause(c) \/ Again(c)
    \/ Look(c) \/ Read(c) \/ Seed(c) \/ Tell(c)
    \/ TakeOne(c) \/ TakeOld(c) \/ TakeNew(c) \/ GiveUp(c) \/ Raise(c) \/ Release(c)
    \/ Die(c) \/ Forgotten(c) \/ \E s \in Stores : LeaseEnds(c, s)

Spec == Init /\ [][Next]_vars

(* A claim of a dead client is in force like any other until its lease ends. *)
InForce(c) == \/ step[c] = "holding"
              \/ step[c] = "dead" /\ \A s \in StoresOf(phase[c]) : lock[s] = c

Exclusion == Cardinality({c \in Clients : InForce(c)}) <= 1
Order == ordered

Symmetry == Permutations(Clients)
================================================================================
