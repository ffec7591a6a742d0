package io.holdfast.parts;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A claim, the signals that it received, and shorthands for its answers. */
public final class TestClaim implements ClaimSignals {

    /** The lease, unless another is given. */
    public static final Duration LEASE = Duration.ofSeconds(30);
    /** The claimant of every claim: hard for a store to keep. */
    public static final Claimant CLAIMANT = new Claimant("höst name", 4711, "thread\n%1 \\n{a}");

    /** The id of the claim. */
    public final String id = UUID.randomUUID().toString();
    /** How often the provider, or its feed for a waiting claim, signalled that the lock may be free. */
    public final AtomicInteger mayBeFree = new AtomicInteger();
    /** The losses that the provider signalled. */
    public final List<LossCause> losses = new CopyOnWriteArrayList<>();
    /** The claim itself. */
    public final Claim claim;

    private final LockProvider provider;
    private final String name;
    private final Intent intent;
    private final Runnable wakeUp = this::mayBeFree;

    private TestClaim(LockProvider provider, String name, String owner, Duration lease, Intent intent) {
        this.provider = provider;
        this.name = name;
        this.intent = intent;
        this.claim = provider.newClaim(new ClaimRequest(name, id, owner, lease, intent, CLAIMANT), this);
    }

    /**
     * A claim of a new owner that attempts once.
     *
     * @param provider the provider
     * @param name the name of the lock
     * @return the claim, before its first attempt
     */
    public static TestClaim once(LockProvider provider, String name) {
        return once(provider, name, LEASE);
    }

    /**
     * A claim of a new owner that attempts once.
     *
     * @param provider the provider
     * @param name the name of the lock
     * @param lease the lease
     * @return the claim, before its first attempt
     */
    public static TestClaim once(LockProvider provider, String name, Duration lease) {
        return new TestClaim(provider, name, UUID.randomUUID().toString(), lease, Intent.TRY_ONCE);
    }

    /**
     * A claim of a given owner that attempts once.
     *
     * @param provider the provider
     * @param name the name of the lock
     * @param owner the owner's id
     * @param lease the lease
     * @return the claim, before its first attempt
     */
    public static TestClaim owned(LockProvider provider, String name, String owner, Duration lease) {
        return new TestClaim(provider, name, owner, lease, Intent.TRY_ONCE);
    }

    /**
     * A claim of a new owner that waits: the provider wakes it when the lock may be free.
     *
     * @param provider the provider
     * @param name the name of the lock
     * @return the claim, before its first attempt
     */
    public static TestClaim waiting(LockProvider provider, String name) {
        return waitingAs(provider, name, UUID.randomUUID().toString());
    }

    /**
     * A claim of a given owner that waits.
     *
     * @param provider the provider
     * @param name the name of the lock
     * @param owner the owner's id
     * @return the claim, before its first attempt
     */
    public static TestClaim waitingAs(LockProvider provider, String name, String owner) {
        return new TestClaim(provider, name, owner, LEASE, Intent.WAIT);
    }

    /**
     * Makes an attempt.
     *
     * @return whether the lock was granted
     */
    public boolean granted() {
        return attempt() instanceof Attempt.Granted;
    }

    private Attempt attempt() {
        if (intent == Intent.TRY_ONCE) {
            return claim.attempt();
        }
        Feeds feeds = Feeds.of(provider);
        feeds.asks(name, wakeUp);
        Attempt answer = claim.attempt();
        if (answer instanceof Attempt.Granted) {
            feeds.ends(name, wakeUp);
        } else {
            feeds.refused(name);
        }
        return answer;
    }

    /**
     * Makes an attempt that must be granted.
     *
     * @return the fencing token
     */
    public long token() {
        return ((Attempt.Granted) attempt()).fencingToken().orElseThrow().value();
    }

    /**
     * Makes an attempt.
     *
     * @return the fencing token; zero if the lock was refused
     */
    public long tokenOrZero() {
        return attempt() instanceof Attempt.Granted granted
                ? granted.fencingToken().orElseThrow().value()
                : 0;
    }

    /**
     * Makes an attempt that must be refused.
     *
     * @return the refusal
     */
    public Attempt.Contended refused() {
        return (Attempt.Contended) attempt();
    }

    /**
     * Asks for a waiting claim, after an attempt, whether the provider's feed listens to its name. A feed whose subscription
     * failed needs a further attempt. {@link #mayBeFree} alone does not tell: it also counts interruptions.
     *
     * @return whether releases are reported; this has been counted in {@link #mayBeFree} then
     */
    public boolean isHeard() {
        return Feeds.of(provider).listensTo(name);
    }

    /**
     * Renews.
     *
     * @return whether the claim still held the lock
     */
    public boolean held() {
        return claim.renew() instanceof Renewal.Held;
    }

    /**
     * Releases.
     *
     * @return whether the claim held the lock until now
     */
    public boolean released() {
        if (intent == Intent.WAIT) {
            Feeds.of(provider).ends(name, wakeUp);
        }
        return claim.release() == Release.RELEASED;
    }

    @Override
    public void mayBeFree() {
        mayBeFree.incrementAndGet();
    }

    @Override
    public void lost(LossCause cause) {
        losses.add(cause);
    }
}
