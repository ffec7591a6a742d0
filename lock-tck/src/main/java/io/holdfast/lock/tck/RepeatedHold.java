package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.Arrays;
import java.util.List;

/**
 * One lock that is held in one way, again and again.
 *
 * @param way the way
 * @param name the lock
 */
record RepeatedHold(Way way, String name) {

    /** What happens between a grant and the release that must wake a waiter. */
    enum Way {
        PLAIN("of a claim that did nothing else"),
        HOLDER_REPEATS_ITS_ATTEMPT("of a claim that had repeated its attempt"),
        HOLDER_RENEWS("of a claim that had been renewed"),
        HOLDER_NESTS("of the last of two nested holds"),
        HOLDER_REPEATS_WHILE_IT_IS_WAITED_FOR("of a claim that repeated its attempt while another one waited"),
        HOLDER_RENEWS_WHILE_IT_IS_WAITED_FOR("of a claim that was renewed while another one waited"),
        HOLDER_NESTS_WHILE_IT_IS_WAITED_FOR("of a claim that had a nested one for some time while another one waited"),
        WAITER_ASKS_AGAIN("of a claim whose waiter had asked several times"),
        ANOTHER_WAITER_LEAVES("of a claim for which another claim had waited and left"),
        ANOTHER_PASSES_BY("of a claim that another one had found held and not waited for");

        private final String what;

        Way(String what) {
            this.what = what;
        }

        private boolean nests() {
            return this == HOLDER_NESTS || this == HOLDER_NESTS_WHILE_IT_IS_WAITED_FOR;
        }
    }

    /** A new lock for each way that the store offers. */
    static List<RepeatedHold> all(Kit kit) {
        boolean counted = Capability.COUNTED_BY_STORE.isMetBy(kit.capabilities());
        return Arrays.stream(Way.values())
                .filter(way -> counted || !way.nests())
                .map(way -> new RepeatedHold(way, kit.newName()))
                .toList();
    }

    String what() {
        return way.what;
    }

    /** Begins the hold. Returns what ends it. */
    Runnable begins(Kit kit, LockProvider holding, LockProvider waiting) {
        ClaimSpec alone = kit.claim(holding, name).lasting();
        DrivenClaim holder = (way.nests() ? alone.owned() : alone).make();
        holder.mustBeGranted("the holder before has released the lock");
        switch (way) {
            case HOLDER_REPEATS_ITS_ATTEMPT -> holder.mustBeGranted("the store has this very claim as granted");
            case HOLDER_RENEWS -> holder.mustRenew("it holds the lock");
            case HOLDER_NESTS -> {
                DrivenClaim inner = nested(kit, holding, holder);
                return () -> {
                    inner.mustRelease(Release.RELEASED, "it holds the lock");
                    holder.release();
                };
            }
            case HOLDER_REPEATS_WHILE_IT_IS_WAITED_FOR -> {
                return () -> {
                    holder.mustBeGranted("the store has this very claim as granted");
                    holder.release();
                };
            }
            case HOLDER_RENEWS_WHILE_IT_IS_WAITED_FOR -> {
                return () -> {
                    holder.mustRenew("it holds the lock");
                    holder.release();
                };
            }
            case HOLDER_NESTS_WHILE_IT_IS_WAITED_FOR -> {
                return () -> {
                    nested(kit, holding, holder).mustRelease(Release.RELEASED, "it holds the lock");
                    holder.release();
                };
            }
            case ANOTHER_WAITER_LEAVES -> leave(kit.claim(waiting, name).make());
            case ANOTHER_PASSES_BY -> leave(kit.visitor(waiting, name));
            default -> {
                // Nothing else happens.
            }
        }
        return holder::release;
    }

    private DrivenClaim nested(Kit kit, LockProvider holding, DrivenClaim outer) {
        DrivenClaim inner = kit.claim(holding, name).byOwnerOf(outer).lasting().make();
        inner.mustBeGranted("the same owner holds the lock");
        return inner;
    }

    private static void leave(DrivenClaim claim) {
        claim.mustBeContended("the lock is held");
        claim.release();
    }
}
