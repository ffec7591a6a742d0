package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Assertions;

/**
 * Claims that wait for different locks, all at once, and attempt after a wake-up and at no other time. Used by one thread.
 */
final class Sleepers {

    /** A claim counts as waiting after so long without a hint: a store may hint once more when it begins to listen. */
    private static final Duration QUIET = Duration.ofMillis(50);

    private static final Duration MANY_HINTS = Duration.ofSeconds(2);

    /** The hints that each claim has followed. */
    private final Map<DrivenClaim, Integer> followed = new LinkedHashMap<>();

    private final Map<DrivenClaim, String> woken = new LinkedHashMap<>();

    /**
     * Adds a claim, which finds its lock held.
     *
     * @param by what will have to wake it, for the failure
     */
    void add(DrivenClaim claim, String by) {
        note(claim, by);
        claim.mustBeContended("the lock is held");
    }

    /**
     * Adds a claim whose lock may be free by now.
     *
     * @param by what will have to wake it, for the failure
     * @return false if it was granted its lock
     */
    boolean adds(DrivenClaim claim, String by) {
        note(claim, by);
        return !claim.isGranted();
    }

    private void note(DrivenClaim claim, String by) {
        followed.put(claim, claim.hints());
        woken.put(claim, by);
    }

    /** Lets all fall asleep, while their locks are held. */
    void settle() {
        Assertions.assertTrue(fallAsleep(), "a waiting claim was granted a lock that another one holds");
    }

    /**
     * Lets all fall asleep: each attempts after each hint until there are no more.
     *
     * @return false if one of them was granted its lock
     */
    boolean fallAsleep() {
        // A store that never stops to hint is busy, not wrong.
        Pace.Limit limit = new Pace.Limit(MANY_HINTS);
        boolean quiet = false;
        while (!quiet && !limit.isOver()) {
            for (Map.Entry<DrivenClaim, Integer> each : followed.entrySet()) {
                int hints = each.getKey().hints();
                if (hints > each.setValue(hints) && each.getKey().isGranted()) {
                    return false;
                }
            }
            Pace.watch(QUIET, this::noneIsHinted);
            quiet = noneIsHinted();
        }
        return true;
    }

    private boolean noneIsHinted() {
        return followed.entrySet().stream().allMatch(each -> each.getKey().hints() == each.getValue());
    }

    /** Each attempts after each hint until it is granted its lock, and releases it. */
    void mustAllBeGranted(Duration patience) {
        Pace.Limit limit = new Pace.Limit(patience);
        while (!followed.isEmpty()) {
            int before = followed.size();
            followed.entrySet().removeIf(Sleepers::leaves);
            if (followed.size() < before) {
                limit = new Pace.Limit(patience);
            }
            Assertions.assertFalse(limit.isOver() && !followed.isEmpty(), this::complaint);
            Pace.pass(Duration.ofMillis(1));
        }
        woken.clear();
    }

    private static boolean leaves(Map.Entry<DrivenClaim, Integer> sleeper) {
        DrivenClaim claim = sleeper.getKey();
        int hints = claim.hints();
        if (hints > sleeper.getValue()) {
            sleeper.setValue(hints);
            if (claim.isGranted()) {
                claim.release();
                return true;
            }
        }
        return false;
    }

    private String complaint() {
        Map<DrivenClaim, String> asleep = new LinkedHashMap<>(woken);
        asleep.keySet().retainAll(followed.keySet());
        return "the provider declares wake-up PUSH, but " + followed.size() + " of " + woken.size()
                + " claims that attempt after each wake-up, and at no other time, do not get locks that were released. What should"
                + " have woken them: " + new TreeSet<>(asleep.values());
    }
}
