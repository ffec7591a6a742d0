package io.holdfast.lock.tck;

import io.holdfast.lock.ApiStatus;

/**
 * The rules of {@code SPEC.md} that a {@link io.holdfast.lock.spi.LockProvider} keeps by itself. The kit stands where the engine
 * would, and drives the claims by hand.
 *
 * <p>The vendor of a backend extends this class and makes a harness; each rule is then a test of that class. A rule that asks for
 * more than the provider declares, or for a hook that the harness lacks, is shown as skipped, with the reason; there is no other
 * way to leave a rule out.
 *
 * <p>A failure says which rule was broken. A test that ends as <em>inconclusive</em> has met a machine too slow to measure on: that is
 * a failure, too, but not the provider's.
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public abstract class LockProviderTck extends KitCase
        implements HarnessControls,
                ExclusionRules,
                ExpiryRules,
                RenewalRules,
                ReentryRules,
                ReleaseRules,
                FencingRules,
                WaitingRules,
                LossRules,
                LifecycleRules {

    /** For the vendor's class. */
    protected LockProviderTck() {}
}
