package io.holdfast.lock.redisson;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import java.util.List;

/**
 * The counters that the tokens of layout {@code lock} come from: one in a database, one for each slot in a cluster. In layout
 * {@code fenced} tokens also come from a counter for each name, which users of {@code RFencedLock} draw from without looking at
 * these.
 *
 * @param naming names them
 * @param batches runs their scripts
 */
record TokenCounters(LockNaming naming, ScriptBatch batches) {

    /** Leaves one token: the scripts compute with doubles, which are exact below 2^53. */
    private static final long MOST = (1L << 53) - 2;

    /** Counters per pipeline: as many as renewals, in order not to stall the server. */
    private static final int BATCH = 500;

    long highest() {
        return run("look-up", List.of());
    }

    /** Fails as a whole if one counter may not have been raised; the others stay raised, and it may be repeated. */
    void raise(long above) {
        if (above > MOST) {
            throw new LockConfigurationException("The tokens are to be raised above " + above + "; allowed is at most "
                    + MOST + ": the scripts compute exactly below 2^53");
        }
        long unused = run("raise", List.of(Long.toString(above)));
    }

    private long run(String operation, List<String> arguments) {
        if (naming.layout() == Layout.FENCED) {
            throw new UnsupportedCapabilityException(
                    "The tokens of layout 'fenced' cannot be raised, nor is the highest"
                            + " known: users of RFencedLock draw them from a counter for each name. Use layout 'lock' when RFencedLock"
                            + " is not used any more");
        }
        List<LockScriptCall> calls = naming.counters().stream()
                .map(counter -> new LockScriptCall(operation, counter, LockScript.COUNTER, List.of(counter), arguments))
                .toList();
        long highest = 0;
        for (int from = 0; from < calls.size(); from += BATCH) {
            for (ScriptBatch.Outcome outcome : batches.run(calls.subList(from, Math.min(from + BATCH, calls.size())))) {
                if (outcome.failure().isPresent()) {
                    throw outcome.failure().get();
                }
                highest = Math.max(highest, Long.parseLong(outcome.reply().get(0)));
            }
        }
        return highest;
    }
}
