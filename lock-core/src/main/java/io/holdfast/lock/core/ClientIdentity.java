package io.holdfast.lock.core;

import io.holdfast.lock.LockOwner;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Who this client is: the source of claim ids and owner ids that no other client has. */
final class ClientIdentity {

    private static final int RADIX = 36;

    private final String clientId;
    private final String host = localHost();
    private final long pid = ProcessHandle.current().pid();
    private final AtomicLong sequence = new AtomicLong();

    ClientIdentity() {
        // 126 random bits: ids of all clients of all time differ, also those of two processes with one host name and
        // pid.
        SecureRandom random = new SecureRandom();
        clientId = Long.toString(random.nextLong() & Long.MAX_VALUE, RADIX)
                + Long.toString(random.nextLong() & Long.MAX_VALUE, RADIX);
    }

    private static String localHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown";
        }
    }

    /** Long enough to tell the threads of two clients apart. */
    String shortId() {
        return clientId.substring(0, 6);
    }

    String nextClaimId() {
        return clientId + "-" + Long.toString(sequence.incrementAndGet(), RADIX);
    }

    Claimant claimant() {
        return new Claimant(host, pid, Thread.currentThread().getName());
    }

    OwnerId blockingOwner(LockOwner owner) {
        return owner.kind() == LockOwner.Kind.CALLER ? threadOwner() : resolve(owner);
    }

    OwnerId asyncOwner(LockOwner owner) {
        return owner.kind() == LockOwner.Kind.CALLER ? uniqueOwner() : resolve(owner);
    }

    OwnerId threadOwner() {
        return new OwnerId(clientId + ":t" + Thread.currentThread().getId(), OwnerId.Sharing.SUCCESSIVE);
    }

    private OwnerId resolve(LockOwner owner) {
        return switch (owner.kind()) {
            case LOGICAL -> new OwnerId("of:" + owner.id(), OwnerId.Sharing.ACROSS_CLIENTS);
            // Named on purpose: an asynchronous acquire may then wait while its thread acquires again.
            case THREAD -> new OwnerId(threadOwner().id(), OwnerId.Sharing.CONCURRENT);
            case UNIQUE, CALLER -> uniqueOwner();
        };
    }

    private OwnerId uniqueOwner() {
        return new OwnerId(clientId + ":u" + Long.toString(sequence.incrementAndGet(), RADIX), OwnerId.Sharing.NOBODY);
    }
}
