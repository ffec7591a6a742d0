package io.holdfast.lock.core.claim;

import io.holdfast.lock.LockOwner;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Who this client is: the source of claim ids and owner ids that no other client has. */
public final class ClientIdentity {

    private static final int RADIX = 36;

    private final String clientId;
    private final String host = localHost();
    private final long pid = ProcessHandle.current().pid();
    private final AtomicLong sequence = new AtomicLong();

    /** The latest ones: a thread that holds many locks is one claimant and one owner. */
    private volatile Claimant lastClaimant = new Claimant(host, pid, "");

    private volatile OwnerId lastThread = OwnerId.thread(0);

    /** Creates the identity of a new client. */
    public ClientIdentity() {
        // 126 random bits: ids of all clients of all time differ, also those of two processes
        // with one host name and pid.
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
    public String shortId() {
        return clientId.substring(0, 6);
    }

    /** An id that no other claim has ever had. For people it also says which owner of this client claims. */
    public String nextClaimId(OwnerId owner) {
        String who = owner.isKnownToStores() ? "" : (owner.mayReenter() ? "t" : "u") + owner.number() + "-";
        return clientId + "-" + who + Long.toString(sequence.incrementAndGet(), RADIX);
    }

    /**
     * An owner in requests to the store. Where only this client can re-enter, each claim has a different one: after a loss the
     * next acquire is then a fresh claim with a fresh token, also if the store still has the record of the lost one. No claim id
     * has a colon.
     */
    public String toldToStore(OwnerId owner, String claimId) {
        return owner.isKnownToStores() ? "of:" + owner.name() : claimId;
    }

    /** This process and the calling thread. */
    public Claimant claimant() {
        String thread = Thread.currentThread().getName();
        Claimant claimant = lastClaimant;
        if (!claimant.thread().equals(thread)) {
            claimant = new Claimant(host, pid, thread);
            lastClaimant = claimant;
        }
        return claimant;
    }

    /** The owner of a blocking acquire of the calling thread. */
    public OwnerId blockingOwner(LockOwner owner) {
        return owner.equals(LockOwner.caller()) ? threadOwner() : resolve(owner);
    }

    /** The owner of an asynchronous acquire. */
    public OwnerId asyncOwner(LockOwner owner) {
        return owner.equals(LockOwner.caller()) ? uniqueOwner() : resolve(owner);
    }

    /** The calling thread as an owner. */
    public OwnerId threadOwner() {
        long thread = Thread.currentThread().getId();
        OwnerId owner = lastThread;
        if (owner.number() != thread) {
            owner = OwnerId.thread(thread);
            lastThread = owner;
        }
        return owner;
    }

    private OwnerId resolve(LockOwner owner) {
        if (owner.id().isPresent()) {
            return OwnerId.logical(owner.id().get());
        }
        return owner.equals(LockOwner.thread()) ? threadOwner() : uniqueOwner();
    }

    private OwnerId uniqueOwner() {
        return OwnerId.acquire(sequence.incrementAndGet());
    }
}
