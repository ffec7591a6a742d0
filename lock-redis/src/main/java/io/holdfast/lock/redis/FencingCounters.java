package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.Confirmation.Written;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import redis.clients.jedis.Connection;

/**
 * The counters that the tokens of a prefix come from: one with one server, one for each slot in a cluster. A slot that has had no
 * lock gets its counter when tokens are raised, as it may have locks later.
 *
 * @param runner runs their scripts
 * @param keys names them
 * @param confirmation by replicas, of a raise as of a grant
 */
record FencingCounters(ScriptRunner runner, KeySpace keys, Confirmation confirmation) {

    /** Leaves one token: the scripts compute with doubles, which are exact below 2^53. */
    static final long MOST = (1L << 53) - 2;

    /** Counters per pipeline: as many as renewals, in order not to stall the server. */
    private static final int BATCH = 500;

    static void requirePossible(long above) {
        if (above > MOST) {
            throw new LockConfigurationException("The tokens are to be raised above " + above + "; allowed is at most "
                    + MOST + ": the scripts compute exactly below 2^53");
        }
    }

    long highest() {
        return run(keys.counterKeys(), OptionalLong.empty(), connection -> {});
    }

    /** Fails as a whole if one counter may not have been raised; the others stay raised, and it may be repeated. */
    void raise(long above) {
        raise(keys.counterKeys(), above);
    }

    /** Raises the counter of one lock, which in a cluster is that of its slot. */
    void raise(String name, long above) {
        raise(List.of(keys.counterKey(name)), above);
    }

    private void raise(Collection<String> counters, long above) {
        requirePossible(above);
        long unused =
                run(counters, OptionalLong.of(above), connection -> confirmation.await(connection, Written.COUNTERS));
    }

    /** Each script runs where its slot is by then: it has one key, so it also runs in the midst of a move. */
    private long run(Collection<String> counters, OptionalLong above, Consumer<Connection> confirming) {
        List<ScriptCall> calls = counters.stream()
                .map(counter -> LockScripts.counterCall(counter, above))
                .toList();
        long highest = 0;
        for (int from = 0; from < calls.size(); from += BATCH) {
            List<ScriptCall> batch = calls.subList(from, Math.min(from + BATCH, calls.size()));
            for (Object answer : SecondTry.of(() -> runner.runAll(batch, confirming))) {
                if (answer instanceof LockStoreException unknown) {
                    throw unknown;
                }
                highest = Math.max(highest, LockScripts.counter(((ServerReply) answer).value()));
            }
        }
        return highest;
    }
}
