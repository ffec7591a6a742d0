package io.holdfast.lock.tck;

/** Clients over the in-memory provider keep the rules under faults. */
class ClientFaultRulesTest extends KitCase implements ClientFaultRules, ClientErrorReplyRules {

    @Override
    protected LockHarness harness() {
        return new FaultyHarness(Flaw.NONE);
    }
}
