package io.holdfast.lock.tck;

/**
 * The rules of {@code SPEC.md} that an application sees: clients with the engine of {@code lock-core} over the provider under
 * test. A provider that fails here and not in {@link LockProviderTck} does not work with the engine.
 *
 * <p>It is used as {@link LockProviderTck} is.
 */
public abstract class LockClientTck extends KitCase
        implements HarnessControls,
                FaultControls,
                ClientExclusionRules,
                ClientLeaseRules,
                ClientReentryRules,
                ClientReleaseRules,
                ClientWaitingRules,
                ClientHandOverRules,
                ClientInterruptRules,
                ClientLossRules,
                ClientLifecycleRules,
                ClientFaultRules,
                ClientErrorReplyRules,
                ClientCrowdRules,
                ProcessRules {

    /** For the vendor's class. */
    protected LockClientTck() {}
}
