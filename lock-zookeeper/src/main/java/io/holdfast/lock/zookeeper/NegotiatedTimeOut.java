package io.holdfast.lock.zookeeper;

import java.time.Duration;

/**
 * The time-out that the server granted to a session when its present connection began. The next connection may grant less:
 * another server, or the same one with another configuration.
 *
 * @param timeOut the negotiated time-out
 */
record NegotiatedTimeOut(Duration timeOut) {

    /** That of a claim that was never granted. */
    static final NegotiatedTimeOut NONE = new NegotiatedTimeOut(Duration.ZERO);

    /** What is left of the time-out after the longest unheard silence: see {@link #validity()}. */
    private static final int COUNTED_TWELFTHS = 5;

    private static final int TWELFTHS = 12;

    /** A proof is recent for a small part of the validity, as a grant by it is good for so much less. */
    private static final int RECENT = 8;

    private static final long CLOCK_RATE_DRIFT = 1_000;

    /**
     * How long the nodes of the session live at least, counted from before a request that the leader has carried out.
     *
     * <p>This is less than the time-out. The leader ends a session by the heartbeats it knows of, and a follower passes on those
     * of its clients only every half tick. If the follower is cut off, the last heartbeat that the leader knows of may be older
     * than the request by half a tick and by the client's longest silence, which is a third of the time-out. The client does not
     * know the tick, but by default a server grants no session shorter than two ticks, so half a tick is at most a quarter of the
     * time-out. That third and that quarter are subtracted, and a little for clocks that run at different rates.
     */
    Duration validity() {
        // Not by the methods of Duration, which calculate with BigDecimal: each grant and each renewal asks for this.
        long nanos = timeOut.toNanos();
        return Duration.ofNanos(nanos * COUNTED_TWELFTHS / TWELFTHS - nanos / CLOCK_RATE_DRIFT);
    }

    /** For how long a claim may be granted its lock by an earlier proof: see {@link ProvenNode}. */
    Duration recent() {
        Duration share = validity().dividedBy(RECENT);
        return share.compareTo(ProvenNode.RECENT) < 0 ? share : ProvenNode.RECENT;
    }
}
