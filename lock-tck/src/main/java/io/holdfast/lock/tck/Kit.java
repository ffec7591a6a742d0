package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.report.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.opentest4j.TestAbortedException;

/**
 * What one test has opened: its harness, its providers, its lock names. At the end all of it is closed, and every name must be
 * free again: no record and no claim may be left behind.
 */
final class Kit {

    /** Longer than any test with the lease that a harness has by default, even on a busy machine. */
    private static final Duration LONG = Duration.ofSeconds(30);

    /**
     * For how long a release is repeated, as by the engine, where no fault disturbs the store: a slow one may need more than one
     * try.
     */
    private static final Duration RELEASED_WITHIN = Duration.ofSeconds(5);

    private final LockHarness harness;
    private final LockCapabilities capabilities;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final boolean isFaulty;
    private final Duration lease;
    private final int leases;
    private final OpenClaims claims;
    private final Set<String> names = new LinkedHashSet<>();
    private final long testBegun;
    private final long begun = Pace.now();

    /** Null until it is needed; guarded by this. */
    private @Nullable LockProvider watching;

    private boolean closed;

    /** Opens one for the first try of a test that begins now, and makes no faults. */
    Kit(LockHarness harness, LockCapabilities capabilities) {
        this(harness, capabilities, false, 1, Pace.now());
    }

    /**
     * Opens one for a try of a test.
     *
     * @param harness the vendor's
     * @param capabilities of its provider
     * @param isFaulty whether the test disturbs the calls of the store
     * @param leases how many leases of the harness the kit's short lease is as long as; ignored where sessions take the place of
     *     leases, as the time-out of a session is set in the store
     * @param testBegun when the first try began
     */
    Kit(LockHarness harness, LockCapabilities capabilities, boolean isFaulty, int leases, long testBegun) {
        this.isFaulty = isFaulty;
        this.testBegun = testBegun;
        this.leases = leases;
        this.harness = harness;
        this.capabilities = capabilities;
        this.lease = Capability.LEASED_PER_SESSION.isMetBy(capabilities)
                ? harness.lease()
                : harness.lease().multipliedBy(leases);
        this.claims = new OpenClaims(longLease());
    }

    LockHarness harness() {
        return harness;
    }

    LockCapabilities capabilities() {
        return capabilities;
    }

    Duration lease() {
        return lease;
    }

    /** How long after the last sign of life a claim may still be in force: its lease and the stated tolerance. */
    Duration longestLife() {
        return lease().plus(harness.expiryTolerance());
    }

    /**
     * By how much replies are late on a slow network. A grant may take several of them, and a slow machine needs a part of the
     * lease for itself: it gets a larger one when the test is repeated.
     */
    Duration lateness() {
        return lease().dividedBy(4 + 2L * leases);
    }

    /** The longest that the store has needed for a call of this test, with what a fault has added. */
    Duration slowestCall() {
        return claims.slowest();
    }

    /** The time after a release that begins now, in which claims wait for the lock. */
    Reservation reservation() {
        // Not the kit's lease: a store keeps a lock free no longer when the test is repeated with longer leases.
        return new Reservation(harness.lease());
    }

    /** A lease that does not end during a test, for rules that are not about time. */
    Duration longLease() {
        // A test that waits for leases to end takes as many times longer as they are longer.
        Duration scaled = longestLife().multipliedBy(25);
        return scaled.compareTo(LONG) > 0 ? scaled : LONG;
    }

    /** A lease that does not end while a store is started again, either. */
    Duration veryLongLease() {
        return claims.veryLongLease();
    }

    void remove(String name) {
        Consumer<String> remover = harness.remover()
                .orElseThrow(() -> new IllegalStateException("The rule does not say that it needs the remover"));
        remover.accept(name);
    }

    /** The feed of a provider, which wakes the claims of the kit. */
    Feed feed(LockProvider provider) {
        return claims.feed(provider);
    }

    /** Opens one more provider on the harness's store. */
    LockProvider provider() {
        return closing(harness.open());
    }

    /**
     * The provider by which claims take over a lock whose lease ends: one for the test, so that a measurement that is repeated does
     * not wait for its connections once more.
     */
    synchronized LockProvider watching() {
        LockProvider present = watching;
        if (present == null) {
            present = provider();
            watching = present;
        }
        return present;
    }

    /** Closes a resource at the end of the test, last in, first out. */
    synchronized <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    /** A lock name that nobody has used before, which is another one in small letters. */
    String newName() {
        return named("tck-" + UUID.randomUUID() + "-N");
    }

    /** A lock name that must be free at the end of the test. */
    synchronized String named(String name) {
        names.add(name);
        return name;
    }

    /** A claim of a new owner by a new provider, for the kit's short lease. */
    ClaimSpec claim(String name) {
        return claim(provider(), name);
    }

    /** A claim of a new owner, for the kit's short lease. */
    ClaimSpec claim(LockProvider provider, String name) {
        return new ClaimSpec(claims, provider, name, null, lease(), Intent.WAIT, ClaimSpec.CLAIMANT);
    }

    /** A claim of a new owner by a new provider that attempts once: it shows whether a lock is free. */
    DrivenClaim visitor(String name) {
        return visitor(provider(), name);
    }

    /** A claim of a new owner that attempts once: it shows whether a lock is free. */
    DrivenClaim visitor(LockProvider provider, String name) {
        return claim(provider, name).once().make();
    }

    /** A claim of a new owner that will attempt once, with a lease that does not end during the test. */
    DrivenClaim tryingOnce(LockProvider provider, String name) {
        return claim(provider, name).lasting().once().make();
    }

    /**
     * A claim that is granted a lock whose holder's lease has ended by now. Not always with its first attempt: where the store has
     * no clock that decides, clients measure the lease from their first look, for which the harness states a tolerance.
     */
    DrivenClaim takingOver(DrivenClaim next, String because) {
        Takeover unused = next.takeOver(harness.expiryTolerance(), because);
        return next;
    }

    /** The holder of a lock that the holder before has released, with a lease that does not end during the test. */
    DrivenClaim successor(LockProvider provider, String name) {
        DrivenClaim holder = tryingOnce(provider, name);
        holder.mustBeGranted("the holder before has released the lock");
        return holder;
    }

    /** Claims of one provider that each hold a different lock. */
    List<DrivenClaim> holders(LockProvider provider, Duration lease, int number) {
        return Stream.generate(() -> claim(provider, newName()).leasing(lease).makeGranted())
                .limit(number)
                .toList();
    }

    /** Renews claims of one provider in batches of the declared size. */
    List<Renewal> renewAll(LockProvider provider, List<DrivenClaim> holders) {
        int most = provider.renewalBatch();
        List<Renewal> renewals = new ArrayList<>();
        for (int from = 0; from < holders.size(); from += most) {
            List<Claim> batch = holders.subList(from, Math.min(holders.size(), from + most)).stream()
                    .map(DrivenClaim::claim)
                    .toList();
            List<Renewal> answers = claims.timed(() -> provider.renewAll(batch));
            Assertions.assertEquals(
                    batch.size(), answers.size(), "the number of answers to " + batch.size() + " claims");
            renewals.addAll(answers);
        }
        return renewals;
    }

    /** A claim that was granted, or none if the provider refuses its name or its lease. */
    Optional<DrivenClaim> unlessRefused(Supplier<DrivenClaim> granting) {
        try {
            return Optional.of(granting.get());
        } catch (LockConfigurationException refused) {
            mustGiveAReason(refused);
            return Optional.empty();
        }
    }

    static void mustGiveAReason(LockException refusal) {
        Assertions.assertFalse(
                String.valueOf(refusal.getMessage()).isBlank(),
                "a refusal must say what is refused, and what is allowed");
    }

    /** The options of a lock whose lease does not end during a test, even on a busy machine. */
    LockOptions lasting() {
        return harness.options().withLeaseTime(longLease());
    }

    /** The options of a lock with the kit's short lease, renewed by the engine. */
    LockOptions shortOptions() {
        reliesOnPace();
        return harness.options().withLeaseTime(lease());
    }

    /** Opens one more client on the harness's store. Its locks have {@link #lasting()} options by default. */
    LockClient client(LockListener... listeners) {
        return clientOver(harness.open(), listeners);
    }

    /** Opens a client over a provider. The client closes the provider. */
    LockClient clientOver(LockProvider provider, LockListener... listeners) {
        LockClient.Builder builder =
                LockClient.builder(new TimedProvider(provider, claims)).defaults(lasting());
        for (LockListener listener : listeners) {
            builder.listener(listener);
        }
        return closing(builder.build());
    }

    /**
     * Repeats a measurement until it has watched closely enough. What counts its time from the first call of a provider opens that
     * provider before: on a slow machine the connection takes longer than the measurement has, and only its first try waits for it.
     *
     * @param measurement returns false if it did not watch closely enough to tell; throws if a rule is broken
     */
    void conclusively(Measurement measurement) throws Exception {
        measurement.repeat(testBegun, harness.lease());
    }

    /** How long before a lease ends the lock must have been watched for the last time: a rule about the end is tested by that. */
    Duration gap() {
        return lease().dividedBy(4);
    }

    /** Takes a lock over when its holder's lease, the kit's short one, has ended. Another client does. */
    boolean endsNotBefore(String name, long moment, String because) {
        return endsNotBefore(claim(watching(), name).make(), longestLife(), moment, because);
    }

    /**
     * Takes a lock over when its holder's lease has ended, and leaves it.
     *
     * @param next takes it over
     * @param life how long the lock may still be held
     * @param moment before which it may not be free
     * @param because why it may not
     * @return false if the lock was not watched closely enough to tell
     */
    boolean endsNotBefore(DrivenClaim next, Duration life, long moment, String because) {
        return next.takeOverAndLeave(life, "the holder's lease has ended").notBefore(moment, gap(), because);
    }

    /**
     * Waits for what a test presupposes and does not prove, such as that a renewal has taken place. If it does not come, the test
     * tells nothing of its rule; other rules ask for it.
     */
    void premise(BooleanSupplier condition, String what) {
        premise(lease().multipliedBy(4), condition, what);
    }

    /** Waits for as long as a premise may take. */
    void premise(Duration time, BooleanSupplier condition, String what) {
        if (!Pace.within(time, condition)) {
            throw new InconclusiveError("the premise did not hold that " + what);
        }
    }

    /** Notes that the test relies on the pace of the machine: while that stands still, a failure proves nothing. */
    void reliesOnPace() {
        claims.reliesOn(lease());
    }

    /** What the failure of a test tells. */
    KitFailure judge(String subject, Throwable failure) {
        Duration inOneLease = Metronome.worst(begun, lease());
        Duration inAll = Metronome.worst(begun, Pace.since(begun));
        return new Judge(claims, capabilities, isFaulty, lease(), inOneLease, inAll).judge(subject, failure);
    }

    /**
     * Whether the machine or the store can explain a failure, so that the test should be repeated. Where the test disturbs the
     * store's calls itself, it explains nothing that they took long.
     */
    boolean isExplained(Throwable failure) {
        if (failure instanceof TestAbortedException) {
            return false;
        }
        boolean disturbed = Metronome.worst(begun, lease()).compareTo(gap()) >= 0 || Judge.provesNothing(failure);
        return judge("", failure).verdict() == Verdict.INCONCLUSIVE && (disturbed || !isFaulty);
    }

    /** Closes everything, the first time. Then, if wanted, checks that nothing was left behind. */
    synchronized void close(boolean inspect) throws Exception {
        if (closed) {
            return;
        }
        closed = true;
        List<Throwable> failures = new ArrayList<>();
        // After a fault, old connections may break once more.
        Pace.Limit limit = new Pace.Limit(isFaulty ? Pace.BACK_WITHIN : RELEASED_WITHIN);
        for (DrivenClaim claim : claims.all()) {
            // There may be thousands: once one has failed, the others get what is left of the time.
            if (failures.isEmpty() || !limit.isOver()) {
                run(() -> Trouble.answered("a release", claim::release, limit), failures);
            }
        }
        while (!opened.isEmpty()) {
            run(opened.pop()::close, failures);
        }
        if (inspect) {
            run(this::inspect, failures);
        }
        run(this::closeHarness, failures);
        if (!failures.isEmpty()) {
            Throwable first = failures.remove(0);
            failures.forEach(first::addSuppressed);
            if (first instanceof AssertionError failed) {
                throw failed;
            }
            throw (Exception) first;
        }
    }

    private static void run(Pace.Body step, List<Throwable> failures) {
        try {
            step.run();
        } catch (Exception | AssertionError failure) {
            failures.add(failure);
        }
    }

    /** A harness that cannot be closed tells nothing of the provider. */
    private void closeHarness() {
        try {
            harness.close();
        } catch (Exception | AssertionError failure) {
            InconclusiveError unclear = new InconclusiveError("the harness could not be closed: " + failure);
            unclear.initCause(failure);
            throw unclear;
        }
    }

    private void inspect() throws Exception {
        try (LockProvider inspector = harness.open()) {
            for (String name : names) {
                DrivenClaim visitor = tryingOnce(inspector, name);
                // The first call makes a connection, for which a slow machine may need more than the provider's limit.
                boolean free = Trouble.answered("an attempt after the test", visitor::isGranted);
                if (!free && !Pace.within(longestLife().plus(Pace.DEAD_WAITERS_GO_WITHIN), visitor::isGranted)) {
                    throw new AssertionError("after the test the lock '" + name
                            + "' does not get free: a record or a claim was left behind");
                }
                Release unused = Trouble.answered("a release after the test", visitor::release);
            }
        }
    }
}
