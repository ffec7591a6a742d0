package io.holdfast.lock.core.runtime;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LossCause;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the log {@code io.holdfast.lock} what happens to the locks of a client: troubles as warnings, the rest at level
 * DEBUG. A line has the lock's name, owner and token, and nothing secret.
 */
public final class LockLog {

    private static final Logger LOGGER = System.getLogger("io.holdfast.lock");
    private static final AtomicBoolean BROKEN = new AtomicBoolean();

    private final Executor warnings;
    private final Executor details;

    /**
     * Creates the log of one client.
     *
     * @param warnings runs the writing of each line in turn, where a handler that blocks does no harm
     * @param details the same for lines of level DEBUG, in one order with the warnings
     */
    LockLog(Executor warnings, Executor details) {
        this.warnings = warnings;
        this.details = details;
    }

    /** Writes a line now. A handler of the application that throws must not break what the engine is doing. */
    public static void write(Level level, String line, @Nullable Throwable cause) {
        try {
            LOGGER.log(level, line, cause);
        } catch (RuntimeException | Error broken) {
            // As java.util.logging does: the first failure is shown on the console, the others would be the same.
            if (BROKEN.compareAndSet(false, true)) {
                System.err.println("The log io.holdfast.lock failed: " + broken);
            }
        }
    }

    private static boolean isDebugging() {
        try {
            return LOGGER.isLoggable(Level.DEBUG);
        } catch (RuntimeException broken) {
            return false;
        }
    }

    private void warn(String line, @Nullable Throwable cause) {
        warnings.execute(() -> write(Level.WARNING, line, cause));
    }

    /** The text is made only if somebody reads it: each grant and each release comes here. */
    private void debug(String what, Supplier<LockEvent> event, Supplier<String> rest) {
        if (isDebugging()) {
            String line = what + lock(event.get()) + rest.get();
            details.execute(() -> write(Level.DEBUG, line, null));
        }
    }

    public void waiting(Supplier<LockEvent> event) {
        debug("Waiting for ", event, () -> "");
    }

    public void granted(Supplier<LockEvent> event, Supplier<Duration> waited, Supplier<Duration> left) {
        debug(
                "Granted ",
                event,
                () -> " after " + ms(waited.get()) + ", for " + ms(left.get()) + " unless it is renewed");
    }

    public void endedWithoutLock(Supplier<LockEvent> event, Supplier<Duration> waited, String why) {
        debug("Did not get ", event, () -> " in " + ms(waited.get()) + ": " + why);
    }

    public void released(Supplier<LockEvent> event, Supplier<Duration> held, Supplier<Duration> took) {
        debug("Released ", event, () -> " after " + ms(held.get()) + "; the release took " + ms(took.get()));
    }

    /** A release whose outcome is unknown. */
    public void releaseFailed(LockEvent event, Duration took, Throwable failure) {
        warn(
                "The release of " + lock(event) + " failed after " + ms(took)
                        + " and is repeated until it succeeds or the lease ends: " + failure.getMessage(),
                failure);
    }

    public void releasedAtLast(LockEvent event, Duration since) {
        warn("Released " + lock(event) + " at last, " + ms(since) + " after the first try", null);
    }

    public void neverReleased(LockEvent event, Duration since) {
        warn(
                "Could not release " + lock(event) + " before its lease ended, " + ms(since) + " after the first try",
                null);
    }

    public void lost(LockEvent event, LossCause cause, Duration held, @Nullable LockException failure) {
        warn("Lost " + lock(event) + ": " + cause + ", " + ms(held) + " after its grant", failure);
    }

    public void atRisk(LockEvent event, Duration left) {
        warn("At risk: " + lock(event) + " ends in " + ms(left) + " unless a renewal succeeds", null);
    }

    /** The first of a row of renewals that fail, or one that is overdue. */
    public void renewalFailed(LockEvent event, Duration left, LockException failure) {
        warn(
                "A renewal of " + lock(event) + " failed; it ends in " + ms(left) + " unless another one succeeds: "
                        + failure.getMessage(),
                failure);
    }

    /** The end of a row of failures, or of one renewal that was only late. */
    public void renewedAgain(LockEvent event, int failures, Duration since) {
        String after = failures == 0
                ? ms(since) + " after the first warning"
                : "after " + failures + (failures == 1 ? " failure" : " failures") + " in " + ms(since);
        warn("Renewed " + lock(event) + " again, " + after, null);
    }

    /** The store's clock differs by a step from what it was, forward if the step is positive. */
    public void storeClockSet(Duration step) {
        warn(
                step.isNegative()
                        ? "The store's clock went back by " + ms(step.negated())
                                + ": the locks of clients that have died last that much longer"
                        : "The store's clock went ahead by " + ms(step)
                                + ", or this machine was suspended for that time: leases that were granted before end that much"
                                + " earlier",
                null);
    }

    public void dropped(LockEvent event, String thread, Duration ago, Duration left) {
        warn(
                "A handle of " + lock(event) + " was dropped without a release; the thread '" + thread
                        + "' acquired it " + ms(ago)
                        + " ago. Without another handle the lock is not renewed any more, and ends in "
                        + ms(left),
                null);
    }

    private static String lock(LockEvent event) {
        String token =
                event.fencingToken().map(fence -> ", token " + fence.value()).orElse("");
        return "the lock '" + onOneLine(event.lockName()) + "' (owner " + onOneLine(event.owner()) + token + ")";
    }

    /** Names and owners may come from users: their control characters must not begin a line of the log. */
    private static String onOneLine(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean ends = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
            shown.append(ends ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return shown.toString();
    }

    private static String ms(Duration time) {
        return time.toMillis() + " ms";
    }
}
