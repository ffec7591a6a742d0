package io.holdfast.lock.zookeeper;

import java.time.Duration;

/**
 * What a session was promised when its present connection began. Each connection brings a promise of its own: another server, or the same
 * one with another configuration, may grant less than the one before, which is not kept then.
 *
 * @param timeOut the negotiated time-out
 */
record NegotiatedTimeOut(Duration timeOut) {

    /** That of a claim that was promised nothing. */
    static final NegotiatedTimeOut NONE = new NegotiatedTimeOut(Duration.ZERO);

    /** What is left of the time-out when nothing else is known of the client's earlier signs of life: see {@link #validity()}. */
    private static final int COUNTED_TWELFTHS = 5;

    private static final int TWELFTHS = 12;
    private static final long CLOCK_RATE_DRIFT = 1_000;

    /**
     * How long the nodes of the session are safe at least, from before a request was sent that the leader has since carried out.
     *
     * <p>That is not the whole time-out. The leader ends a session by what it has heard of it, and a follower passes on the signs
     * of life of its clients only with its own, every half tick. Should it be cut off, the last one that the leader knows of may be
     * older than the request by half a tick and by the client's longest silence before it, which is a third of the time-out. How
     * long a tick is the client does not know, but a server grants no session of less than two, unless told to: half a tick is a quarter
     * of the time-out at most. That third and that quarter are not counted on. And the two clocks need not run at quite the same rate.
     */
    Duration validity() {
        return timeOut.multipliedBy(COUNTED_TWELFTHS).dividedBy(TWELFTHS).minus(timeOut.dividedBy(CLOCK_RATE_DRIFT));
    }
}
