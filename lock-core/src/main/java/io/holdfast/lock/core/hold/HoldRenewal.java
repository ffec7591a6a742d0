package io.holdfast.lock.core.hold;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.runtime.Nanos;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The renewals of one {@link Hold}: sends one for the application, and takes the answers, also those to a batch. */
final class HoldRenewal {

    private final Services services;
    private final Hold hold;

    /** Whether a renewal is due that has not succeeded: it failed, hangs, or waits to be sent. */
    private volatile boolean pending;

    /** The failures since the last renewal that succeeded; null if there was none. */
    private final AtomicReference<@Nullable Failures> failing = new AtomicReference<>();

    /**
     * Renewals that failed in a row.
     *
     * @param since the reading of the clock when listeners were told first
     * @param count how many renewals failed; none yet if one is overdue
     */
    private record Failures(long since, int count, LockException latest) {}

    HoldRenewal(Services services, Hold hold) {
        this.services = services;
        this.hold = hold;
    }

    /** Prolongs the lease; false if the hold is over. */
    boolean renew() {
        return hold.claim().exclusively(() -> {
            if (!hold.isHeld()) {
                hold.expire();
                return false;
            }
            long sentAt = services.now();
            began();
            try {
                answered(hold.claim().renew(), sentAt);
            } catch (LockException unknown) {
                failed(unknown);
                throw unknown;
            }
            return hold.isHeld();
        });
    }

    boolean isPending() {
        return pending;
    }

    @Nullable
    LockException failure() {
        Failures failures = failing.get();
        return failures == null ? null : failures.latest();
    }

    void began() {
        pending = true;
    }

    void answered(Renewal answer, long sentAt) {
        if (answer instanceof Renewal.Lost lost) {
            // After the deadline the record is gone because the lease ran out, even if somebody else has the lock now.
            if (hold.isHeld()) {
                hold.lose(lost.cause());
            } else {
                hold.expire();
            }
        } else if (answer instanceof Renewal.Unknown unknown) {
            failed(unknown.failure());
        } else if (answer instanceof Renewal.Held held) {
            renewed(sentAt + Nanos.of(held.validFor()));
        }
    }

    private void renewed(long newDeadline) {
        if (hold.extend(newDeadline)) {
            pending = false;
            Failures failures = failing.getAndSet(null);
            if (failures != null) {
                Duration time = Duration.ofNanos(services.now() - failures.since());
                services.events().log().renewedAgain(hold.event(), failures.count(), time);
            }
            services.keeper().renewed(hold);
            services.events().emit(listener -> listener.renewed(hold.event()));
        } else {
            hold.expire();
        }
    }

    void failed(LockException latest) {
        Failures failures = Objects.requireNonNull(failing.updateAndGet(before -> before == null
                ? new Failures(services.now(), 1, latest)
                : new Failures(before.since(), before.count() + 1, latest)));
        if (hold.isHeld()) {
            services.keeper().retrySoon(hold);
            tell(failures);
        }
    }

    /** Reports a renewal that has had no answer for a third of the lease: it may hang until the lease is over. */
    void reportLate() {
        LockException late = new LockStoreException("The renewal of the lock '" + hold.lockName()
                + "' has had no answer yet: the store is slow, or the call waits for a connection");
        Failures failures = new Failures(services.now(), 0, late);
        if (pending && hold.isHeld() && failing.compareAndSet(null, failures)) {
            tell(failures);
        }
    }

    private void tell(Failures failures) {
        LockException latest = failures.latest();
        if (failures.count() <= 1) {
            services.events().log().renewalFailed(hold.event(), hold.remaining(), latest);
        }
        services.events().emit(listener -> listener.renewalFailed(hold.event(), latest));
    }
}
