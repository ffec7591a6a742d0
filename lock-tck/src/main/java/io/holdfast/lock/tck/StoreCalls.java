package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** The calls of one provider that cannot be answered without the store, each for a lock of its own. */
final class StoreCalls {

    private final Kit kit;
    private final LockProvider provider;
    private final Contender bidder;
    private final List<Contender> holders;

    StoreCalls(Kit kit, Duration lease) {
        this.kit = kit;
        this.provider = kit.provider();
        this.bidder = kit.bid(provider, kit.newName()).leasing(lease).enter();
        this.holders = kit.holders(provider, lease, 4);
    }

    LockProvider provider() {
        return provider;
    }

    /** The calls that change nothing which was granted, by their names. */
    Map<String, Callable<Object>> questions() {
        Map<String, Callable<Object>> calls = new LinkedHashMap<>();
        calls.put("an attempt", bidder::attempt);
        calls.put("a renewal", holders.get(0)::renew);
        calls.put("a renewal of several", () -> renewedWithOthers(holders.get(1)));
        calls.put(
                "a question for the holder",
                () -> provider.holder(holders.get(2).name()));
        return calls;
    }

    /** All calls. */
    Map<String, Callable<Object>> all() {
        Map<String, Callable<Object>> calls = questions();
        calls.put("a release", holders.get(3)::release);
        return calls;
    }

    /** Of several renewals each may say by itself that its outcome is unknown. */
    private Renewal renewedWithOthers(Contender holder) {
        Renewal renewal = kit.renewAll(provider, List.of(holder)).get(0);
        if (renewal instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return renewal;
    }

    void abandon() {
        bidder.abandon();
        holders.forEach(Contender::abandon);
    }
}
