package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.ScriptCall.bytes;

import io.holdfast.lock.redis.ScriptCall.Asked;
import io.holdfast.lock.redis.ScriptCall.Subject;
import io.holdfast.lock.spi.ClaimRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of the scripts for one claim. They are made when they are sent: a claim that is held should cost no more than its name.
 *
 * @param id what the server knows the claim by
 */
record ClaimCalls(LockScripts scripts, KeySpace keys, ClaimRequest request, String id) {

    /** An attempt that asks for so many tokens. */
    ScriptCall acquire(int tokens) {
        return acquire(List.of(bytes(Integer.toString(tokens))));
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
        String key = keys.lockKey(request.name());
        return List.of(bytes(key), bytes(keys.counterKey(key)));
    }

    ScriptCall renewal() {
        return call("renewal", scripts.renew(), List.of(bytes(id), leaseMillis()));
    }

    /** Renews claims of one layout on one server. */
    static ScriptCall renewal(List<ClaimCalls> claims) {
        ClaimCalls first = claims.get(0);
        List<byte[]> locks = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>();
        for (ClaimCalls claim : claims) {
            locks.add(claim.lockKey());
            arguments.add(bytes(claim.id));
            arguments.add(claim.leaseMillis());
        }
        Subject subject = Subject.locks(first.request.name(), claims.size());
        return new ScriptCall("renewal", subject, first.scripts.renewAll(), locks, arguments, Asked.OWNER);
    }

    ScriptCall release() {
        String channel = keys.channel(request.name());
        return call(
                "release",
                scripts.release(),
                List.of(bytes(id), bytes(channel), bytes(keys.publish().name())));
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

    private byte[] leaseMillis() {
        return bytes(Long.toString(request.leaseTime().toMillis()));
    }
}
