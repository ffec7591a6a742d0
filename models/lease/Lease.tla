--------------------------------- MODULE Lease ---------------------------------
(* Claims with leases at one store, clients that rely on them by their own clocks, and a resource that checks fencing tokens, as `SPEC.md` has them
   and as `Hold`, `HoldLease`, `Validity` and `ClaimReaper` do it. A property is named after the rule that it states.

   Time passes in ticks. The store's clock ticks each time, a client's clock nearly each time: in a tick it may stand still or go two ahead, but
   not again within `Calm` ticks. All times are counted as what is left or what has passed, so time has no end.

   A client may take its next step at any time or never, which is a pause or its death. A request that was sent is carried out at any later time,
   also more than once, or never; its answer may be lost. So a release is sent once, and stands for all that repeat it: `Dropped` are the
   claims whose release was sent. A holder's read or write reaches the resource at any time after the grant, since a pause fits between the last
   check and the write. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Clients,
    Nobody,        \* the client of a claim that is not made yet
    Lease,         \* ticks of the store's clock
    Margin,        \* ticks that the validity is shorter
    Calm,          \* ticks from one in which a client's clock goes wrong to the next; 0 if it never does
    MaxClaims,     \* of all clients
    MaxToken,
    MaxRemovals,   \* by an operator
    Works,         \* whether holders use the resource
    Fault          \* what is broken

Faults == {
    "none",
    \* at the store
    "release does not compare", "release compares the client", "release in two steps",
    "renewal of any holder", "renewal creates",
    "repeated attempt draws a token", "token restarts",
    \* at the client
    "counts from the answer", "renewal counts from the answer", "hands out late grant",
    "unknown renewal counts", "late renewal revives", "refused renewal is ignored",
    "timer decides", "renewal under way keeps",
    \* at the resource
    "resource does not compare", "reads do not raise"}

ASSUME Fault \in Faults /\ Margin < Lease

Claims == 1..MaxClaims
Validity == Lease - Margin
Max(x, y) == IF x > y THEN x ELSE y
Less(x, y) == IF x > y THEN x - y ELSE 0

VARIABLES
    record,      \* at the store: [claim, left, token]; claim 0 if the lock is free
    counter,     \* at the store: the last token
    checked,     \* claims whose release has looked, if that is a step for itself
    made, by,    \* how many claims there are, and the client of each
    renewing,    \* claims of which a renewal was sent
    \* Of each client: its claim, 0 if it has none; whether it was granted; ticks to the deadline; the call that it waits for,
    \* ticks since that was sent, the answer, and the token in it.
    claim, granted, left, call, age, answer, told,
    calm,        \* of each client: ticks until its clock may go wrong again
    token,       \* of each claim: the token that was handed out, 0 if none was
    floor,       \* of the resource
    \* Known to nobody, for the properties:
    promise,     \* of each claim: ticks of its lease that the store owes it
    removed,     \* claims that the operator took the lock from
    highest,     \* the highest token of a grant
    written,     \* the token of the last write that was accepted
    touched      \* the highest token of a read or write that was accepted

storeVars == <<record, counter, checked, promise, highest>>
clientVars == <<claim, granted, left, call, age, answer, told, token>>
resourceVars == <<floor, written, touched>>
vars == <<storeVars, made, by, renewing, clientVars, calm, removed, resourceVars>>

Free == [claim |-> 0, left |-> 0, token |-> 0]

Init ==
    /\ record = Free /\ counter = 0 /\ checked = {} /\ highest = 0
    /\ made = 0 /\ by = [k \in Claims |-> Nobody] /\ renewing = {}
    /\ claim = [c \in Clients |-> 0] /\ granted = [c \in Clients |-> FALSE] /\ left = [c \in Clients |-> 0]
    /\ call = [c \in Clients |-> "none"] /\ age = [c \in Clients |-> 0]
    /\ answer = [c \in Clients |-> "none"] /\ told = [c \in Clients |-> 0]
    /\ calm = [c \in Clients |-> 0]
    /\ token = [k \in Claims |-> 0] /\ promise = [k \in Claims |-> 0] /\ removed = {}
    /\ floor = 0 /\ written = 0 /\ touched = 0

Dropped == {k \in 1..made : \A c \in Clients : claim[c] # k}

(* LockHandle.isHeld *)
IsHeld(c) ==
    /\ granted[c]
    /\ \/ left[c] > 0
       \/ Fault = "timer decides"
       \/ Fault = "renewal under way keeps" /\ call[c] = "renew"

(* The client. *)

Calls(c, what) ==
    /\ call' = [call EXCEPT ![c] = what] /\ age' = [age EXCEPT ![c] = 0]
    /\ answer' = [answer EXCEPT ![c] = "none"] /\ told' = [told EXCEPT ![c] = 0]

(* The client is done with its claim, and sends a release. *)
Drop(c) ==
    /\ claim' = [claim EXCEPT ![c] = 0] /\ granted' = [granted EXCEPT ![c] = FALSE] /\ left' = [left EXCEPT ![c] = 0]
    /\ Calls(c, "none")

Ask(c) ==
    /\ claim[c] = 0 /\ made < MaxClaims
    /\ made' = made + 1 /\ by' = [by EXCEPT ![made + 1] = c] /\ claim' = [claim EXCEPT ![c] = made + 1]
    /\ Calls(c, "attempt")
    /\ UNCHANGED <<storeVars, renewing, granted, left, token, calm, removed, resourceVars>>

(* A waiter asks again, with the same claim. *)
AskAgain(c) ==
    /\ call[c] = "attempt" /\ answer[c] = "no"
    /\ Calls(c, "attempt")
    /\ UNCHANGED <<storeVars, made, by, renewing, claim, granted, left, token, calm, removed, resourceVars>>

(* The acquire ends without the lock, or its outcome is unknown. *)
GiveUp(c) ==
    /\ call[c] = "attempt" /\ Drop(c)
    /\ UNCHANGED <<storeVars, made, by, renewing, token, calm, removed, resourceVars>>

HearGrant(c) ==
    /\ call[c] = "attempt" /\ answer[c] = "yes"
    /\ LET valid == IF Fault = "counts from the answer" THEN Validity ELSE Less(Validity, age[c]) IN
        IF valid > 0 \/ Fault = "hands out late grant"
        THEN /\ granted' = [granted EXCEPT ![c] = TRUE] /\ left' = [left EXCEPT ![c] = valid]
             /\ token' = [token EXCEPT ![claim[c]] = told[c]]
             /\ Calls(c, "none") /\ UNCHANGED claim
        ELSE Drop(c) /\ UNCHANGED token
    /\ UNCHANGED <<storeVars, made, by, renewing, calm, removed, resourceVars>>

Renew(c) ==
    /\ IsHeld(c) /\ call[c] = "none"
    /\ renewing' = renewing \cup {claim[c]} /\ Calls(c, "renew")
    /\ UNCHANGED <<storeVars, made, by, claim, granted, left, token, calm, removed, resourceVars>>

(* Hold.extend: an answer that comes after the deadline changes nothing. *)
Extended(c) == [left EXCEPT ![c] = Max(@, IF Fault = "renewal counts from the answer" THEN Validity ELSE Less(Validity, age[c]))]

HearRenewal(c) ==
    /\ call[c] = "renew" /\ answer[c] # "none"
    /\ IF answer[c] = "no" /\ Fault # "refused renewal is ignored"
       THEN Drop(c)
       ELSE /\ left' = IF answer[c] = "yes" /\ (left[c] > 0 \/ Fault = "late renewal revives") THEN Extended(c) ELSE left
            /\ Calls(c, "none") /\ UNCHANGED <<claim, granted>>
    /\ UNCHANGED <<storeVars, made, by, renewing, token, calm, removed, resourceVars>>

(* The renewal has an unknown outcome. *)
TimeOut(c) ==
    /\ call[c] = "renew"
    /\ left' = IF Fault = "unknown renewal counts" THEN Extended(c) ELSE left
    /\ Calls(c, "none")
    /\ UNCHANGED <<storeVars, made, by, renewing, claim, granted, token, calm, removed, resourceVars>>

(* The handle is released, or the deadline has passed. *)
End(c) ==
    /\ granted[c] /\ Drop(c)
    /\ UNCHANGED <<storeVars, made, by, renewing, token, calm, removed, resourceVars>>

(* The store carries out a request. *)

(* The answer reaches its client, or is lost, or was to a copy. *)
Answers(k, kind, is, t) ==
    \/ UNCHANGED <<answer, told>>
    \/ \E c \in Clients :
        /\ claim[c] = k /\ call[c] = kind /\ answer[c] = "none"
        /\ answer' = [answer EXCEPT ![c] = is] /\ told' = [told EXCEPT ![c] = t]

Owed(k, ticks) == promise' = [promise EXCEPT ![k] = ticks]

AttemptAt(k) ==
    /\ \/ /\ record.claim = k
          /\ LET again == Fault = "repeated attempt draws a token" /\ counter < MaxToken
                 t == IF again THEN counter + 1 ELSE record.token IN
                /\ counter' = IF again THEN t ELSE counter
                /\ record' = [record EXCEPT !.left = Lease, !.token = t]
                /\ Answers(k, "attempt", "yes", t)
          /\ Owed(k, Lease) /\ UNCHANGED highest
       \/ /\ record = Free /\ counter < MaxToken
          /\ counter' = counter + 1 /\ highest' = Max(highest, counter + 1)
          /\ record' = [claim |-> k, left |-> Lease, token |-> counter + 1] /\ Owed(k, Lease)
          /\ Answers(k, "attempt", "yes", counter + 1)
       \/ /\ record.claim \notin {0, k}
          /\ Answers(k, "attempt", "no", 0) /\ UNCHANGED <<record, counter, promise, highest>>
    /\ UNCHANGED <<checked, made, by, renewing, claim, granted, left, call, age, token, calm, removed, resourceVars>>

RenewAt(k) ==
    /\ k \in renewing
    /\ CASE record.claim = k ->
              record' = [record EXCEPT !.left = Lease] /\ Owed(k, Lease) /\ Answers(k, "renew", "yes", 0)
         [] record.claim \notin {0, k} /\ Fault = "renewal of any holder" ->
              record' = [record EXCEPT !.left = Lease] /\ UNCHANGED promise /\ Answers(k, "renew", "yes", 0)
         [] record = Free /\ Fault = "renewal creates" ->
              /\ record' = [claim |-> k, left |-> Lease, token |-> token[k]]
              /\ UNCHANGED promise /\ Answers(k, "renew", "yes", 0)
         [] OTHER -> UNCHANGED <<record, promise>> /\ Answers(k, "renew", "no", 0)
    /\ UNCHANGED <<counter, highest, checked, made, by, renewing, claim, granted, left, call, age, token, calm, removed, resourceVars>>

Compared(k) ==
    CASE Fault = "release does not compare" -> TRUE
      [] Fault = "release compares the client" -> by[record.claim] = by[k]
      [] Fault = "release in two steps" -> k \in checked
      [] OTHER -> record.claim = k

ReleaseAt(k) ==
    /\ k \in Dropped
    /\ record # Free /\ Compared(k)
    /\ record' = Free /\ Owed(k, 0) /\ checked' = checked \ {k}
    /\ UNCHANGED <<counter, highest, made, by, renewing, clientVars, calm, removed, resourceVars>>

CheckAt(k) ==
    /\ Fault = "release in two steps" /\ k \in Dropped /\ record.claim = k
    /\ checked' = checked \cup {k}
    /\ UNCHANGED <<record, counter, promise, highest, made, by, renewing, clientVars, calm, removed, resourceVars>>

Remove ==
    /\ record # Free /\ Cardinality(removed) < MaxRemovals
    /\ record' = Free /\ Owed(record.claim, 0) /\ removed' = removed \cup {record.claim}
    /\ counter' = IF Fault = "token restarts" THEN 0 ELSE counter
    /\ UNCHANGED <<highest, checked, made, by, renewing, clientVars, calm, resourceVars>>

(* Time. *)

Tick ==
    /\ record' = IF record.left <= 1 THEN Free ELSE [record EXCEPT !.left = @ - 1]
    /\ promise' = [k \in Claims |-> Less(promise[k], 1)]
    /\ \E ticks \in [Clients -> 0..2] :
        /\ \A c \in Clients : ticks[c] # 1 => Calm > 0 /\ calm[c] = 0 /\ claim[c] # 0
        /\ calm' = [c \in Clients |-> IF ticks[c] # 1 THEN Calm ELSE Less(calm[c], 1)]
        /\ left' = [c \in Clients |-> Less(left[c], ticks[c])]
        /\ age' = [c \in Clients |-> IF call[c] = "none" THEN 0 ELSE LET a == age[c] + ticks[c] IN IF a > Validity THEN Validity ELSE a]
    /\ UNCHANGED <<counter, highest, checked, made, by, renewing, claim, granted, call, answer, told, token, removed, resourceVars>>

(* The resource. *)

Accepts(t) == t >= floor \/ Fault = "resource does not compare"

Read(k) ==
    /\ Works /\ token[k] # 0 /\ Accepts(token[k])
    /\ floor' = IF Fault = "reads do not raise" THEN floor ELSE Max(floor, token[k])
    /\ touched' = Max(touched, token[k])
    /\ UNCHANGED <<storeVars, made, by, renewing, clientVars, calm, removed, written>>

Write(k) ==
    /\ Works /\ token[k] # 0 /\ Accepts(token[k])
    /\ floor' = Max(floor, token[k]) /\ touched' = Max(touched, token[k]) /\ written' = token[k]
    /\ UNCHANGED <<storeVars, made, by, renewing, clientVars, calm, removed>>

Next ==
    \/ \E c \in Clients :
        Ask(c) \/ AskAgain(c) \/ GiveUp(c) \/ HearGrant(c) \/ Renew(c) \/ HearRenewal(c) \/ TimeOut(c) \/ End(c)
    \/ \E k \in 1..made : AttemptAt(k) \/ RenewAt(k) \/ CheckAt(k) \/ ReleaseAt(k) \/ Read(k) \/ Write(k)
    \/ Remove \/ Tick

Spec == Init /\ [][Next]_vars

(* The store. *)

Rule11_OneInForce == Cardinality({k \in Claims : promise[k] > 0}) <= 1

Rule13_RepeatedAttemptKeepsToken == [][record.claim # 0 /\ record'.claim = record.claim => record'.token = record.token]_vars

Rule22_WholeLease == \A k \in Claims : promise[k] > 0 => record.claim = k /\ record.left >= promise[k]

Rule31_ProlongsOwnClaim == record.claim # 0 => record.left <= promise[record.claim]

Rule32_RenewalCreatesNothing == [][
    /\ record = Free /\ record' # Free => counter' > counter
    /\ \A c \in Clients : call[c] = "renew" /\ answer[c] = "none" /\ answer'[c] = "yes" => record.claim = claim[c]]_vars

(* Whoever has not sent a release keeps the lock until its lease ends or the operator comes. *)
Rule51_FreesOwnClaim == [][
    record'.claim # record.claim /\ record.claim # 0 => record.claim \in Dropped \cup removed' \/ record.left = 1]_vars

Rule52_LateHolderDoesNoHarm == [][
    record' # record => \A k \in 1..made : promise[k] = 0 => ~RenewAt(k) /\ ~ReleaseAt(k)]_vars

Rule61_TokensGrow == [][record'.claim \notin {0, record.claim} => record'.token > highest]_vars

(* The client. *)

Rule25_ValidIsInForce == \A c \in Clients : IsHeld(c) /\ claim[c] \notin removed => promise[claim[c]] > 0

Rule26_NoLateGrant == [][\A c \in Clients : ~granted[c] /\ granted'[c] => left'[c] > 0]_vars

Rule33_UnknownRenewalMovesNothing == [][\A c \in Clients : TimeOut(c) => left' = left]_vars

Rule81_StaysLost == [][\A c \in Clients : granted[c] /\ ~IsHeld(c) /\ claim'[c] = claim[c] => ~IsHeld(c)']_vars

Rule82_NotHeldPastDeadline == \A c \in Clients : left[c] = 0 => ~IsHeld(c)

Rule84_UnreachableStore == \A c \in Clients : call[c] = "renew" /\ answer[c] = "none" /\ left[c] = 0 => ~IsHeld(c)

Rule85_RefusedRenewalIsLoss == [][\A c \in Clients : HearRenewal(c) /\ answer[c] = "no" => ~IsHeld(c)']_vars

(* By their own clocks no two clients have the lock, as long as the operator takes it from nobody. *)
OneValidHold == Cardinality({c \in Clients : IsHeld(c) /\ claim[c] \notin removed}) <= 1

(* The resource. *)

Rule64_WritesInOrder == [][written' >= written]_vars

(* The first read or write of a later holder closes the door to all earlier ones. *)
Rule66_DoorIsClosed == [][written' # written => written' >= touched]_vars

(* Not true, and not promised: *)

OneValidHoldEver == Cardinality({c \in Clients : IsHeld(c)}) <= 1

NoWriteAfterTheLease == [][\A k \in Claims : written' # written /\ written' = token[k] => promise[k] > 0]_vars

Symmetry == Permutations(Clients)
================================================================================
