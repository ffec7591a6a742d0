package io.holdfast.lock.tck;

/**
 * The rules of {@code SPEC.md} that a {@link io.holdfast.lock.spi.LockProvider} must keep without the engine. The kit calls the
 * claims itself, in place of the engine.
 *
 * <p>The vendor of a backend extends this class and makes a harness; each rule is then a test of that class. A rule that asks for
 * more than the provider declares, or for a hook that the harness lacks, is skipped with the reason. There is no other way to
 * leave a rule out.
 *
 * <p>A failure names the broken rule. A test fails as <em>inconclusive</em> if the machine was too slow to measure on, also in
 * five repetitions; that is not the provider's fault.
 */
public abstract class LockProviderTck extends KitCase
        implements HarnessControls,
                FaultControls,
                ExclusionRules,
                ExpiryRules,
                DeadClientRules,
                RenewalRules,
                BatchAnswerRules,
                BatchSizeRules,
                ReentryRules,
                NestedLeaseRules,
                ReleaseRules,
                FencingRules,
                RaisedTokenRules,
                ReservedTokenRules,
                WaitingRules,
                WakeUpRules,
                OrderRules,
                InterruptRules,
                LossRules,
                LifecycleRules,
                NeighbourLineRules,
                NeighbourRules,
                ValueRules,
                LeaseValueRules,
                GrantRules,
                OwnerRules,
                CrowdRules,
                CallCrowdRules,
                WaitingCrowdRules,
                RaceRules,
                RenewalRaceRules,
                HarmlessCallRules,
                CopyRules,
                StoreTimeRules,
                SecondTimeRules,
                OwnMemoryRules,
                LeftoverRules,
                ClosedProviderRules,
                HolderRules,
                OutageRules,
                OutageWakeUpRules,
                ShortOutageRules,
                ManyFailuresRules,
                CloseUnderFaultRules,
                SessionRules,
                SessionEndRules,
                FaultRules,
                RestartRules,
                LostReplyRules,
                LateRequestRules,
                ErrorReplyRules {

    /** For the vendor's class. */
    protected LockProviderTck() {}
}
