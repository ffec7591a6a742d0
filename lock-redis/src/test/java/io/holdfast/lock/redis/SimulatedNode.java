package io.holdfast.lock.redis;

/** A server in a simulation: its clock, and whether it is up. */
final class SimulatedNode {

    /** No token is near 0 then, as on a real server. */
    private static final long CLOCK_AT_START = 1_000_000_000_000L;

    private static final long SECOND = 1_000_000;

    final String name;
    final NodeModel store = new NodeModel();
    private final SimulatedTime time;
    private final double rate;
    private final long offset;
    private boolean up = true;
    private int starts;
    private long startedAt = Long.MIN_VALUE / 4;

    /**
     * Creates it, running for a long time already.
     *
     * @param rate how fast its clock runs
     * @param offset how far its clock was ahead at the start
     */
    SimulatedNode(String name, SimulatedTime time, double rate, long offset) {
        this.name = name;
        this.time = time;
        this.rate = rate;
        this.offset = offset;
    }

    long clock() {
        return CLOCK_AT_START + offset + (long) (time.now() * rate);
    }

    boolean isUp() {
        return up;
    }

    /** How often it was started: a connection ends with each. */
    int starts() {
        return starts;
    }

    /** As INFO has it: in whole seconds. */
    long uptime() {
        return (long) ((time.now() - startedAt) * rate) / SECOND * SECOND;
    }

    void stop() {
        up = false;
    }

    void start(boolean withData) {
        up = true;
        starts++;
        startedAt = time.now();
        if (!withData) {
            store.forget();
        }
    }
}
