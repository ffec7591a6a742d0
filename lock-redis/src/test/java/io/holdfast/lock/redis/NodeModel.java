package io.holdfast.lock.redis;

/**
 * What a server does with the scripts of the string layout, for one lock. The time of each call is that of the server's clock, in
 * microseconds. {@link NodeModelTest} compares it with a real server.
 */
final class NodeModel {

    private static final long MOST_AHEAD = 1_000_000;
    private static final long MICROS = 1_000;

    private String claim = "";
    private long token;
    private long endsAtMillis;
    private long counter;

    /**
     * The answer to an attempt.
     *
     * @param granted whether it was granted
     * @param number the token, or for how many milliseconds the holder's lease lasts at most
     * @param earlier whether it had been granted before
     * @param holder the claim that is in force
     */
    record Answer(boolean granted, long number, boolean earlier, String holder) {}

    Answer acquire(long now, String id, long leaseMillis, long proposal) {
        if (isInForce(now, id)) {
            prolong(now, leaseMillis);
            return new Answer(true, token, true, id);
        }
        if (!claim.isEmpty()) {
            return new Answer(false, leaseLeft(now) + 1, false, claim);
        }
        counter = Math.max(Math.max(counter + 1, now), proposal <= now + MOST_AHEAD ? proposal : 0);
        claim = id;
        token = counter;
        endsAtMillis = now / MICROS + leaseMillis;
        return new Answer(true, token, false, id);
    }

    boolean renew(long now, String id, long leaseMillis) {
        boolean inForce = isInForce(now, id);
        if (inForce) {
            prolong(now, leaseMillis);
        }
        return inForce;
    }

    boolean release(long now, String id) {
        boolean inForce = isInForce(now, id);
        if (inForce) {
            end();
        }
        return inForce;
    }

    boolean raise(long now, String id, long highest) {
        if (!isInForce(now, id) || token > highest) {
            return false;
        }
        counter = Math.max(counter, highest);
        token = highest;
        return true;
    }

    /** The record ends: its time is over, or an operator removes it. */
    void end() {
        claim = "";
    }

    /** The server starts again without its data. */
    void forget() {
        end();
        counter = 0;
    }

    long counter() {
        return counter;
    }

    long leaseLeft(long now) {
        return endsAtMillis - now / MICROS;
    }

    private void prolong(long now, long leaseMillis) {
        endsAtMillis = Math.max(endsAtMillis, now / MICROS + leaseMillis);
    }

    /** A server removes a key when its millisecond has passed. */
    private boolean isInForce(long now, String id) {
        if (!claim.isEmpty() && leaseLeft(now) < 0) {
            end();
        }
        return claim.equals(id);
    }
}
