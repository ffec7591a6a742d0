package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** The calls of one provider that only the store can answer, each for another lock. */
final class ProviderCalls {

    private final Kit kit;
    private final LockProvider provider;
    private final DrivenClaim attempting;
    private final List<DrivenClaim> holders;
    private final boolean raises;

    ProviderCalls(Kit kit, Duration lease) {
        this.kit = kit;
        this.provider = kit.provider();
        this.attempting = kit.claim(provider, kit.newName()).leasing(lease).make();
        this.holders = kit.holders(provider, lease, 6);
        this.raises = kit.harness().isDisposable() && raises(provider);
    }

    private static boolean raises(LockProvider provider) {
        try {
            provider.raiseTokens(1);
            long unused = provider.highestToken();
            return true;
        } catch (UnsupportedCapabilityException refused) {
            return false;
        }
    }

    /** All calls, by their names. */
    Map<String, Callable<Object>> all() {
        Map<String, Callable<Object>> calls = new LinkedHashMap<>();
        calls.put("an attempt", attempting::attempt);
        calls.put("a renewal", holders.get(0)::renew);
        calls.put("a renewal of several", () -> renewedTogether(holders.subList(3, 6)));
        calls.put(
                "a question for the holder",
                () -> provider.holder(holders.get(1).name()));
        calls.put("a release", holders.get(2)::release);
        if (raises) {
            calls.put("a question for the highest token", provider::highestToken);
            calls.put("a raise of the tokens", () -> {
                // Not above any token: it changes nothing.
                provider.raiseTokens(1);
                return "raised";
            });
        }
        return calls;
    }

    /** A provider may report an unknown outcome for each renewal; then all must have one. */
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
}
