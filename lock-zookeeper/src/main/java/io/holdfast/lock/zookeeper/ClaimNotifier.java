package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.ClaimSignals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Brings the news that several claims wait for to each of them, whatever the others do with it. ZooKeeper's client and Curator call in
 * the thread that brings all answers, and would drop the exception of one claim and the news of those behind it together.
 */
final class ClaimNotifier {

    private static final Logger LOG = System.getLogger(ClaimNotifier.class.getPackageName());

    private ClaimNotifier() {}

    static void mayBeFree(ClaimSignals claim) {
        tell("A claim that waits could not be woken", claim::mayBeFree);
    }

    static void lost(ClaimSignals claim, LossCause cause) {
        tell("A claim could not be told that it is lost: " + cause, () -> claim.lost(cause));
    }

    private static void tell(String failed, Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | Error broken) {
            LOG.log(Level.WARNING, failed, broken);
        }
    }
}
