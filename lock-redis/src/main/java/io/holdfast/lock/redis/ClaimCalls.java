package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.ScriptCall.bytes;

import io.holdfast.lock.spi.ClaimRequest;
import java.util.ArrayList;
import java.util.List;

/** The calls of the scripts for one claim. */
final class ClaimCalls {

    private final LockScripts scripts;
    private final ClaimRequest request;
    private final byte[] id;
    private final byte[] lockKey;
    private final byte[] counterKey;
    private final byte[] channel;
    private final byte[] publish;

    /**
     * Creates them.
     *
     * @param id what the server knows the claim by
     */
    ClaimCalls(LockScripts scripts, KeySpace keys, ClaimRequest request, String id) {
        String key = keys.lockKey(request.name());
        this.scripts = scripts;
        this.request = request;
        this.id = bytes(id);
        this.lockKey = bytes(key);
        this.counterKey = bytes(keys.counterKey(key));
        this.channel = bytes(keys.channel(request.name()));
        this.publish = bytes(keys.publish().name());
    }

    /** An attempt that asks for so many tokens. */
    ScriptCall acquire(int tokens) {
        return acquire(List.of(bytes(Integer.toString(tokens))));
    }

    /** An attempt that asks for one token, and proposes it. */
    ScriptCall acquireProposing(long token) {
        return acquire(List.of(bytes("1"), bytes(Long.toString(token))));
    }

    private ScriptCall acquire(List<byte[]> last) {
        List<byte[]> arguments = new ArrayList<>(List.of(id, leaseMillis()));
        arguments.addAll(scripts.record().apply(request));
        arguments.addAll(last);
        return new ScriptCall("acquire", request.name(), scripts.acquire(), List.of(lockKey, counterKey), arguments);
    }

    /** Raises the token of the granted claim. */
    ScriptCall raise(long token) {
        return new ScriptCall(
                "acquire",
                request.name(),
                LockScripts.RAISE,
                List.of(lockKey, counterKey),
                List.of(id, bytes(Long.toString(token))));
    }

    ScriptCall renewal() {
        return call("renewal", scripts.renew(), List.of(id, leaseMillis()));
    }

    ScriptCall release() {
        return call("release", scripts.release(), List.of(id, channel, publish));
    }

    /** A release without a message. */
    ScriptCall undo() {
        return call("release", scripts.release(), List.of(id));
    }

    private ScriptCall call(String operation, Script script, List<byte[]> arguments) {
        return new ScriptCall(operation, request.name(), script, List.of(lockKey), arguments);
    }

    private byte[] leaseMillis() {
        return bytes(Long.toString(request.leaseTime().toMillis()));
    }
}
