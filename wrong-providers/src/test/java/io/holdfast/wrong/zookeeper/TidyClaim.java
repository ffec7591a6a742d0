package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NotEmptyException;

/** A claim whose release also deletes the node of the lock if nobody waits. That is no fault, but others come to light by it. */
class TidyClaim extends TextbookClaim {

    TidyClaim(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
        super(provider, request, signals);
    }

    @Override
    Release releaseIn(TextbookSession session) throws KeeperException {
        Release release = super.releaseIn(session);
        try {
            boolean unused = session.delete(provider.lockPath(name()));
        } catch (NotEmptyException others) {
            // Their node stays.
        }
        return release;
    }
}
