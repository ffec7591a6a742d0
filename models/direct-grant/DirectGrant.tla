------------------------------ MODULE DirectGrant ------------------------------
(* A lock in Redis whose release grants it to a claim that waits: `hash-line.lua`, `hash-acquire.lua`, `hash-release.lua`, `RedisClaim`, `PushedGrants`.

   A claim that is refused has a place at the server, with the number of its latest attempt that the server has carried out. The server grants a free
   lock to such a claim and publishes a message with that number. Who hears it takes the lock without a request, and counts the lease from
   the sending of the attempt that the message names, if that is the latest one.

   Requests are carried out at any later time or never, also when their client has given them up and has sent others: a connection breaks, a
   server pauses. Answers and messages come at any later time or never. The server may grant the lock to any claim that has a place, or to nobody: the
   order of the line, places that are too old and clients that do not listen are of no importance for safety.

   All clocks run at one rate here; the validity that clients count on is a thousandth shorter than the lease for that. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Claims,
    Nobody,        \* the holder of a free lock
    Lease,         \* in ticks
    MaxNow,        \* the last tick
    MaxAttempts,   \* of each claim
    \* What can be broken:
    Names,         \* a message is believed only if it names the latest attempt
    TakesBack,     \* a grant is taken back when its message is out, as nobody seems to listen
    CountsFrom     \* "sending": the lease counts from the sending of the latest attempt; "hearing": from the message

VARIABLES
    now,
    holder, expiry,         \* the record at the server
    place,                  \* of each claim: the number of its latest attempt there; 0 without a place
    requests, answers, messages,
    state,                  \* of each claim: waiting, holding, done
    attempt, sentAt,        \* of each claim: its latest attempt
    until                   \* of each claim: up to when it relies on the lock

server == <<holder, expiry, place>>
client == <<state, attempt, sentAt, until>>
vars == <<now, server, requests, answers, messages, client>>

Symmetry == Permutations(Claims)

Init ==
    /\ now = 0
    /\ holder = Nobody
    /\ expiry = 0
    /\ place = [c \in Claims |-> 0]
    /\ requests = {}
    /\ answers = {}
    /\ messages = {}
    /\ state = [c \in Claims |-> "waiting"]
    /\ attempt = [c \in Claims |-> 0]
    /\ sentAt = [c \in Claims |-> 0]
    /\ until = [c \in Claims |-> 0]

Tick ==
    /\ now < MaxNow
    /\ now' = now + 1
    /\ UNCHANGED <<server, requests, answers, messages, client>>

--------------------------------------------------------------------------------
(* The client. *)

Send(c) ==
    /\ state[c] = "waiting"
    /\ attempt[c] < MaxAttempts
    /\ attempt' = [attempt EXCEPT ![c] = @ + 1]
    /\ sentAt' = [sentAt EXCEPT ![c] = now]
    /\ requests' = requests \cup {[by |-> c, number |-> attempt[c] + 1]}
    /\ UNCHANGED <<now, server, answers, messages, state, until>>

Hold(c, from) ==
    /\ state' = [state EXCEPT ![c] = "holding"]
    /\ until' = [until EXCEPT ![c] = from + Lease]
    /\ UNCHANGED <<now, server, requests, messages, attempt, sentAt>>

(* Only the answer to the latest attempt is read. *)
Granted(a) ==
    /\ state[a.by] = "waiting"
    /\ a.number = attempt[a.by]
    /\ answers' = answers \ {a}
    /\ Hold(a.by, sentAt[a.by])

Heard(m) ==
    /\ state[m.to] = "waiting"
    /\ Names => m.number = attempt[m.to]
    /\ Hold(m.to, IF CountsFrom = "sending" THEN sentAt[m.to] ELSE now)
    /\ UNCHANGED answers

(* Gives the lock back, or gives up waiting. *)
Release(c) ==
    /\ state[c] # "done"
    /\ attempt[c] > 0
    /\ state' = [state EXCEPT ![c] = "done"]
    /\ requests' = requests \cup {[by |-> c, number |-> 0]}
    /\ UNCHANGED <<now, server, answers, messages, attempt, sentAt, until>>

--------------------------------------------------------------------------------
(* The server. Each request is one step. *)

Free == holder = Nobody \/ expiry <= now

(* The lock is free, and the places are these: one of them is granted it, or nobody. *)
ServeLine(places) ==
    \/ /\ holder' = Nobody
       /\ expiry' = 0
       /\ place' = places
       /\ UNCHANGED messages
    \/ /\ TakesBack
       /\ holder' = Nobody
       /\ expiry' = 0
       /\ place' = places
       /\ \E c \in Claims :
          /\ places[c] > 0
          /\ messages' = messages \cup {[to |-> c, number |-> places[c]]}
    \/ \E c \in Claims :
       /\ places[c] > 0
       /\ holder' = c
       /\ expiry' = now + Lease
       /\ place' = [places EXCEPT ![c] = 0]
       /\ messages' = messages \cup {[to |-> c, number |-> places[c]]}

Grant(r) ==
    /\ holder' = r.by
    /\ expiry' = now + Lease
    /\ place' = [place EXCEPT ![r.by] = 0]
    /\ answers' = answers \cup {r}
    /\ UNCHANGED messages

Attempted(r) ==
    \/ /\ Free \/ holder = r.by
       /\ Grant(r)
    \/ /\ ~Free
       /\ holder # r.by
       /\ place' = [place EXCEPT ![r.by] = r.number]
       /\ UNCHANGED <<holder, expiry, answers, messages>>
    \/ /\ Free
       /\ ServeLine([place EXCEPT ![r.by] = 0])
       /\ holder' # Nobody
       /\ UNCHANGED answers
    \/ /\ Free
       /\ place' = [place EXCEPT ![r.by] = r.number]
       /\ UNCHANGED <<holder, expiry, answers, messages>>

Released(r) ==
    /\ UNCHANGED answers
    /\ IF holder = r.by /\ ~Free
       THEN ServeLine([place EXCEPT ![r.by] = 0])
       ELSE /\ place' = [place EXCEPT ![r.by] = 0]
            /\ UNCHANGED <<holder, expiry, messages>>

Carry(r) ==
    /\ requests' = requests \ {r}
    /\ IF r.number > 0 THEN Attempted(r) ELSE Released(r)
    /\ UNCHANGED <<now, client>>

--------------------------------------------------------------------------------

Next ==
    \/ Tick
    \/ \E c \in Claims : Send(c) \/ Release(c)
    \/ \E a \in answers : Granted(a)
    \/ \E m \in messages : Heard(m)
    \/ \E r \in requests : Carry(r)

Spec == Init /\ [][Next]_vars

Relies(c) == state[c] = "holding" /\ now < until[c]

(* 1.1, by the clients' own clocks. *)
OneHolder == \A a, b \in Claims : Relies(a) /\ Relies(b) => a = b

(* 2.5: who relies on the lock has it. *)
TrueBelief == \A c \in Claims : Relies(c) => holder = c /\ now < expiry

================================================================================
