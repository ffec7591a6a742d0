package io.holdfast.lock.tck;

/** The in-memory provider keeps the rules under faults, and the faults pass their controls. */
class FaultRulesTest extends KitCase
        implements FaultControls,
                FaultRules,
                SessionEndRules,
                OutageRules,
                OutageWakeUpRules,
                ShortOutageRules,
                ManyFailuresRules,
                CloseUnderFaultRules,
                LostReplyRules,
                LateRequestRules,
                ErrorReplyRules {

    @Override
    protected LockHarness harness() {
        return new FaultyHarness(Flaw.NONE);
    }
}
