package io.holdfast.lock.redis;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of a layout. Those of all layouts give the same replies, and take the same arguments but for the record and what
 * concerns waiting claims. The reply to an attempt is a text, a {@link Grant}, or a list: the time in ms until it is worth asking
 * again, 1 if the holder is foreign, else 0, and in the string layout the claim that holds the lock.
 *
 * @param way how a waiting claim comes by the lock
 * @param renewAll renews many claims, but leaves to {@code renew} what is unusual
 * @param record what an attempt writes down about the holder, as arguments of {@code acquire}
 */
record LockScripts(
        Way way,
        Script acquire,
        Script renew,
        Script renewAll,
        Script release,
        Script holder,
        Function<ClaimRequest, List<byte[]>> record) {

    /** How a waiting claim comes by the lock. */
    enum Way {
        /** It is woken by a message of the release, and attempts again. */
        ATTEMPT,
        /** It stands in a line at the server, and the release grants it the lock. */
        LINE
    }

    private static final LockScripts HASH = new LockScripts(
            Way.LINE,
            Script.forMany(List.of("clock.lua", "hash-acquire-fast.lua"), inLine("hash-acquire.lua")),
            Script.of("hash-renew-fast.lua", "common.lua", "hash.lua", "hash-renew.lua"),
            Script.of("hash-renew-all.lua"),
            Script.forMany(List.of("hash-release-fast.lua"), inLine("hash-release.lua")),
            Script.of("common.lua", "hash.lua", "hash-holder.lua"),
            RecordArguments::fields);

    private static final LockScripts STRING = new LockScripts(
            Way.ATTEMPT,
            Script.forMany(
                    List.of("clock.lua", "string-acquire-fast.lua"),
                    List.of("common.lua", "fence.lua", "string.lua", "string-acquire.lua")),
            Script.of("common.lua", "string.lua", "string-renew.lua"),
            Script.of("string-renew-all.lua"),
            Script.forMany(
                    List.of("string-release-fast.lua"), List.of("common.lua", "string.lua", "string-release.lua")),
            Script.of("common.lua", "string.lua", "string-holder.lua"),
            RecordArguments::text);

    /** Gives a claim of the string layout the token of its quorum. */
    static final Script RAISE = Script.of("common.lua", "string.lua", "string-raise.lua");

    private static final Script COUNTER = Script.of("common.lua", "fence.lua", "counter.lua");

    private static final int FULL_REPLY = 6;

    private static List<String> inLine(String script) {
        return List.of("common.lua", "fence.lua", "hash.lua", "hash-line.lua", script);
    }

    static LockScripts of(RedisLockProvider.Layout layout) {
        return switch (layout) {
            case HASH -> HASH;
            case STRING -> STRING;
        };
    }

    ScriptCall holderCall(KeySpace keys, String name) {
        return new ScriptCall("holder", name, holder, List.of(ScriptCall.bytes(keys.lockKey(name))), List.of());
    }

    /**
     * Reads or raises a counter of tokens.
     *
     * @param above the number that later tokens have to exceed; empty to read the counter
     */
    static ScriptCall counterCall(String counter, OptionalLong above) {
        return new ScriptCall(
                above.isPresent() ? "raise" : "look-up",
                new ScriptCall.Subject("fencing counter", counter),
                COUNTER,
                List.of(ScriptCall.bytes(counter)),
                above.stream()
                        .mapToObj(number -> ScriptCall.bytes(Long.toString(number)))
                        .toList(),
                ScriptCall.Asked.OWNER);
    }

    /** The number in the reply to {@link #counterCall}. */
    static long counter(@Nullable Object reply) {
        return (Long) Objects.requireNonNull(((List<?>) Objects.requireNonNull(reply)).get(0));
    }

    /** Whether a reply, or a part of one, is a number by which scripts say yes: 1, or the server's time. */
    static boolean isYes(@Nullable Object reply) {
        return reply instanceof Long number && number > 0;
    }

    /**
     * What a server says of a grant.
     *
     * @param token the first of its tokens
     * @param tokens how many it has
     * @param micros the server's clock
     * @param before whether the claim was granted before
     */
    record Grant(long token, int tokens, long micros, boolean before) {}

    /** The grant in a reply; empty for any other reply. */
    static Optional<Grant> grant(@Nullable Object reply) {
        if (!(reply instanceof byte[] text)) {
            return Optional.empty();
        }
        String[] numbers = new String(text, StandardCharsets.US_ASCII).split(" ", -1);
        return Optional.of(new Grant(
                Long.parseLong(numbers[0]),
                Integer.parseInt(numbers[1]),
                Long.parseLong(numbers[2]),
                "1".equals(numbers[3])));
    }

    /** The server's time in the reply to a grant or a renewal; empty for any other reply. */
    static Optional<Instant> time(@Nullable Object reply) {
        long micros = grant(reply).map(Grant::micros).orElseGet(() -> reply instanceof Long number ? number : 0L);
        return micros > 1 ? Optional.of(Instant.EPOCH.plus(micros, ChronoUnit.MICROS)) : Optional.empty();
    }

    /** Converts the reply of the holder script. */
    static Optional<LockHolder> holder(@Nullable Object reply, String name) {
        if (!(reply instanceof List<?> fields)) {
            return Optional.empty();
        }
        String owner = text(fields.get(0));
        if (fields.size() < FULL_REPLY) {
            return Optional.of(LockHolder.of(owner));
        }
        try {
            return Optional.of(LockHolder.of(owner)
                    .withHost(text(fields.get(1)))
                    .withPid(Long.parseLong(text(fields.get(2))))
                    .withThread(text(fields.get(3)))
                    .withSince(Instant.ofEpochMilli(Long.parseLong(text(fields.get(4)))))
                    .withFencingToken(new FencingToken(Long.parseLong(text(fields.get(5))))));
        } catch (IllegalArgumentException tampered) {
            throw new LockStoreException(
                    "The record of lock '" + name + "' in Redis was changed by another program", tampered);
        }
    }

    private static String text(@Nullable Object bulk) {
        return bulk instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }
}
