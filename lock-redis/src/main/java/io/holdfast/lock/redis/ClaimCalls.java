package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.ScriptCall.bytes;

import io.holdfast.lock.redis.ScriptCall.Asked;
import io.holdfast.lock.redis.ScriptCall.Subject;
import io.holdfast.lock.spi.ClaimRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The calls of the scripts for one claim. They are made when they are sent: a claim that is held should cost no more than its
 * name.
 *
 * @param id what the server knows the claim by
 */
record ClaimCalls(LockScripts scripts, KeySpace keys, ClaimRequest request, String id) {

    private static final int ARGUMENTS_OF_A_RENEWAL = 3;

    /**
     * The place of a waiting claim in the line of its lock.
     *
     * @param attempt the number of the attempt that takes or keeps it
     * @param channel where the client hears of the grant
     */
    record Place(int attempt, String channel) {}

    /** An attempt that asks for so many tokens. */
    ScriptCall acquire(int tokens, Optional<Place> place) {
        List<byte[]> last = new ArrayList<>();
        last.add(bytes(Integer.toString(tokens)));
        if (scripts.way() == LockScripts.Way.LINE) {
            last.addAll(line());
            place.ifPresent(kept -> {
                last.add(bytes(Integer.toString(kept.attempt())));
                last.add(bytes(kept.channel()));
                last.add(bytes(mayShareItsOwner() ? "1" : "0"));
            });
        }
        return acquire(last);
    }

    /** The keys of the line, and how its claims are told of a grant. */
    private List<byte[]> line() {
        return List.of(
                bytes(keys.lineKey(request.name())),
                bytes(keys.placesKey(request.name())),
                bytes(keys.publish().name()));
    }

    /** Whether another claim may come as the same owner: not if the owner is known by the claim's id. */
    private boolean mayShareItsOwner() {
        return !request.ownerId().equals(id);
    }

    /** An attempt that asks for one token, and proposes it. */
    ScriptCall acquireProposing(long token) {
        return acquire(List.of(bytes("1"), bytes(Long.toString(token))));
    }

    private ScriptCall acquire(List<byte[]> last) {
        List<byte[]> arguments = new ArrayList<>(List.of(bytes(id), leaseMillis()));
        arguments.addAll(scripts.record().apply(request));
        arguments.addAll(last);
        return new ScriptCall("acquire", request.name(), scripts.acquire(), lockAndCounter(), arguments);
    }

    /** Raises the token of the granted claim. */
    ScriptCall raise(long token) {
        return new ScriptCall(
                "acquire",
                request.name(),
                LockScripts.RAISE,
                lockAndCounter(),
                List.of(bytes(id), bytes(Long.toString(token))));
    }

    private List<byte[]> lockAndCounter() {
        return List.of(lockKey(), counterKey());
    }

    ScriptCall renewal() {
        return call("renewal", scripts.renew(), List.of(bytes(id), leaseMillis()));
    }

    /**
     * Renews claims of one layout on one server.
     *
     * @param ends when each of them ends, as {@link RedisClaim#end()} has it
     */
    static ScriptCall renewal(List<ClaimCalls> claims, List<Long> ends) {
        ClaimCalls first = claims.get(0);
        List<byte[]> locks = new ArrayList<>(claims.size());
        List<byte[]> arguments = new ArrayList<>(claims.size() * ARGUMENTS_OF_A_RENEWAL);
        for (int i = 0; i < claims.size(); i++) {
            ClaimCalls claim = claims.get(i);
            locks.add(claim.lockKey());
            arguments.add(bytes(claim.id));
            arguments.add(claim.leaseMillis());
            arguments.add(bytes(Long.toString(ends.get(i))));
        }
        Subject subject = Subject.locks(first.request.name(), claims.size());
        return new ScriptCall("renewal", subject, first.scripts.renewAll(), locks, arguments, Asked.OWNER);
    }

    /** Gives the claim back, or its place in the line. */
    ScriptCall release() {
        List<byte[]> arguments = new ArrayList<>(List.of(bytes(id)));
        if (scripts.way() == LockScripts.Way.LINE) {
            arguments.add(counterKey());
            arguments.addAll(line());
        } else {
            arguments.add(bytes(keys.channel(request.name())));
            arguments.add(bytes(keys.publish().name()));
        }
        return call("release", scripts.release(), arguments);
    }

    /** A release without a message. */
    ScriptCall undo() {
        return call("release", scripts.release(), List.of(bytes(id)));
    }

    private ScriptCall call(String operation, Script script, List<byte[]> arguments) {
        return new ScriptCall(operation, request.name(), script, List.of(lockKey()), arguments);
    }

    private byte[] lockKey() {
        return bytes(keys.lockKey(request.name()));
    }

    private byte[] counterKey() {
        return bytes(keys.counterKey(request.name()));
    }

    private byte[] leaseMillis() {
        return bytes(Long.toString(request.leaseTime().toMillis()));
    }
}
