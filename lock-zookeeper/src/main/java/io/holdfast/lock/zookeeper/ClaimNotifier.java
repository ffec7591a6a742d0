package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.ClaimSignals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Signals claims, and logs what a signal throws. ZooKeeper's client and Curator call on the thread that delivers all answers; an
 * exception of one claim would be dropped, and the signals of the claims after it with it.
 */
final class ClaimNotifier {

    private static final Logger LOG = System.getLogger(ClaimNotifier.class.getPackageName());

    private ClaimNotifier() {}

    static void mayBeFree(ClaimSignals claim) {
        send("A waiting claim could not be woken", claim::mayBeFree);
    }

    static void lost(ClaimSignals claim, LossCause cause) {
        send("The loss of a claim could not be reported to it: " + cause, () -> claim.lost(cause));
    }

    private static void send(String failed, Runnable signal) {
        try {
            signal.run();
        } catch (RuntimeException | Error broken) {
            LOG.log(Level.WARNING, failed, broken);
        }
    }
}
