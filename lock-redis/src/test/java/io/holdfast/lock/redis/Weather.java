package io.holdfast.lock.redis;

import java.util.SplittableRandom;

/**
 * How bad the network, the clients and the servers are in one schedule; a schedule without any fault is one of them.
 *
 * @param lost the part of the messages that is lost
 * @param slow the part that takes long, perhaps longer than a lease
 * @param copied the part of the requests that arrives twice
 * @param paused how likely a client is paused within a second
 * @param restarted how likely a server is restarted within a second
 * @param cut how likely a client is cut off a server within a second
 */
record Weather(double lost, double slow, double copied, double paused, double restarted, double cut) {

    private static final Weather FINE = new Weather(0, 0, 0, 0, 0, 0);
    private static final double[] MESSAGES = {0, 0.02, 0.2};
    private static final double[] FAULTS = {0, 0.1, 0.5};

    static Weather of(SplittableRandom random) {
        return new Weather(
                any(MESSAGES, random),
                any(MESSAGES, random),
                any(MESSAGES, random),
                any(FAULTS, random),
                any(FAULTS, random),
                any(FAULTS, random));
    }

    private static double any(double[] values, SplittableRandom random) {
        return values[random.nextInt(values.length)];
    }

    static Weather fine() {
        return FINE;
    }
}
