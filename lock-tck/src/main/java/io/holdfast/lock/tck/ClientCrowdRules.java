package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/** Many at once, asked of a client. */
interface ClientCrowdRules extends Rules {

    @LockRule({"7.2", "9.1"})
    default void rule91_manyWaitingThreadsLeaveRoomForOtherCalls() {
        EventLog log = new EventLog();
        LockClient client = kit().client(log);
        LockHandle own = Call.elsewhere(() -> client.lock(kit().newName()).acquire());
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), WaitingCrowdRules.MANY_CLIENTS);
        List<Call<?>> waiters = new ArrayList<>();
        for (int i = 0; i < CrowdRules.MANY_WAITERS; i++) {
            String name = holders.get(i % holders.size()).name();
            waiters.add(Call.running(() -> client.lock(name).run(() -> {})));
        }
        kit().premise(
                        Pace.CROWD_WITHIN,
                        () -> log.count("contended") >= holders.size()
                                || waiters.stream().anyMatch(Call::isDone),
                        "one claim waits for each of the locks");
        boolean renewed = isRenewed(own);
        holders.forEach(DrivenClaim::release);
        waiters.forEach(Call::result);

        Assertions.assertTrue(
                renewed,
                () -> "the renewal of a lock whose client has " + CrowdRules.MANY_WAITERS + " threads that wait for "
                        + holders.size() + " other locks");
        Assertions.assertTrue(own.release(), "the lock is held");
    }

    private static boolean isRenewed(LockHandle held) {
        try {
            return held.renew();
        } catch (LockStoreException unknown) {
            return false;
        }
    }
}
