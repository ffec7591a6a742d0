package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.redis.KeySpace.Spread;
import io.holdfast.lock.redis.ScriptCall.Asked;
import io.holdfast.lock.redis.ScriptCall.Subject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Runs scripts of the application behind {@code guard.lua}, which compares and raises the floors of their keys. Thread-safe. */
final class GuardedScripts {

    private static final Pattern STALE = Pattern.compile("^STALETOKEN (\\d+):(\\d+)");

    private final ScriptRunner runner;
    private final boolean inCluster;
    private final Map<String, Script> guarded = new ConcurrentHashMap<>();

    GuardedScripts(ScriptRunner runner) {
        this.runner = runner;
        this.inCluster = runner.in(new KeySpace(KeySpace.DEFAULT_PREFIX)).spread() == Spread.SLOTS;
    }

    /**
     * One run of a script.
     *
     * @param operation what it is for, as errors say it
     * @param script its text
     * @param keys its keys
     * @param arguments its other arguments
     * @param token of the lock that protects the keys
     */
    record Run(String operation, String script, List<String> keys, List<String> arguments, NamedToken token) {}

    /** Runs a script that does no harm if it runs twice: the request is repeated once if its connection breaks. */
    @Nullable
    Object ask(Run run) {
        ScriptCall call = call(run);
        return value(() -> SecondTry.of(() -> runner.run(call, Function.identity())), run.token());
    }

    @Nullable
    Object run(Run run) {
        ScriptCall call = call(run);
        return value(() -> runner.run(call, Function.identity()), run.token());
    }

    private ScriptCall call(Run run) {
        List<String> keys = run.keys();
        requirePossible(keys);
        NamedToken token = run.token();
        Stream<String> floors = keys.stream().map(KeySpace::floorKey);
        Stream<String> guard = Stream.of(
                Integer.toString(token.epoch()), Long.toString(token.token().value()));
        return new ScriptCall(
                run.operation(),
                new Subject("key", keys.get(0)),
                guarded.computeIfAbsent(run.script(), Script::guarding),
                bytes(Stream.concat(floors, keys.stream())),
                bytes(Stream.concat(guard, run.arguments().stream())),
                Asked.OWNER);
    }

    private void requirePossible(List<String> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("There is no key to guard; allowed is one at least");
        }
        List<Integer> slots =
                keys.stream().map(JedisClusterCRC16::getSlot).distinct().toList();
        if (inCluster && slots.size() > 1) {
            throw new IllegalArgumentException("The keys " + keys + " are of the slots " + slots
                    + "; allowed are keys of one slot, as with a common hash tag such as {42}");
        }
    }

    private static List<byte[]> bytes(Stream<String> texts) {
        return texts.map(ScriptCall::bytes).toList();
    }

    private static @Nullable Object value(Supplier<ServerReply> request, NamedToken token) {
        try {
            return request.get().value();
        } catch (LockStoreException failure) {
            if (failure.getCause() instanceof JedisDataException refusal) {
                Matcher stale = STALE.matcher(String.valueOf(refusal.getMessage()));
                if (stale.find()) {
                    throw new StaleTokenException(
                            token, Integer.parseInt(stale.group(1)), Long.parseLong(stale.group(2)));
                }
            }
            throw failure;
        }
    }
}
