package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** The calls of one provider that cannot be answered without the store, each for a lock of its own. */
final class ProviderCalls {

    private final Kit kit;
    private final LockProvider provider;
    private final DrivenClaim bidder;
    private final List<DrivenClaim> holders;

    ProviderCalls(Kit kit, Duration lease) {
        this.kit = kit;
        this.provider = kit.provider();
        this.bidder = kit.bid(provider, kit.newName()).leasing(lease).enter();
        this.holders = kit.holders(provider, lease, 6);
    }

    LockProvider provider() {
        return provider;
    }

    /** The calls that change nothing which was granted, by their names. */
    Map<String, Callable<Object>> questions() {
        Map<String, Callable<Object>> calls = new LinkedHashMap<>();
        calls.put("an attempt", bidder::attempt);
        calls.put("a renewal", holders.get(0)::renew);
        calls.put("a renewal of several", () -> renewedTogether(holders.subList(3, 6)));
        calls.put(
                "a question for the holder",
                () -> provider.holder(holders.get(1).name()));
        return calls;
    }

    /** All calls. */
    Map<String, Callable<Object>> all() {
        Map<String, Callable<Object>> calls = questions();
        calls.put("a release", holders.get(2)::release);
        return calls;
    }

    /** Of several renewals each may say by itself that its outcome is unknown; but then all have to. */
    private List<Renewal> renewedTogether(List<DrivenClaim> several) {
        List<Renewal> renewals = kit.renewAll(provider, several);
        List<LockStoreException> failures = renewals.stream()
                .filter(Renewal.Unknown.class::isInstance)
                .map(unknown -> ((Renewal.Unknown) unknown).failure())
                .toList();
        if (failures.size() == several.size()) {
            throw failures.get(0);
        }
        return renewals;
    }

    void abandon() {
        bidder.abandon();
        holders.forEach(DrivenClaim::abandon);
    }
}
