package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.function.Executable;

/** The calls of a provider that ask the store. */
final class StoreCalls {

    private StoreCalls() {}

    /**
     * The calls by their names. One that cannot ask the store has to throw; that of several renewals may say so of each.
     *
     * @param holder a claim that was granted, of this provider
     * @param bidder a claim that was not
     */
    static Map<String, Executable> of(LockProvider provider, Contender holder, Contender bidder) {
        Map<String, Executable> calls = new LinkedHashMap<>();
        calls.put("an attempt", bidder::attempt);
        calls.put("a renewal", holder::renew);
        calls.put("a renewal of several", () -> renewAll(provider, holder));
        calls.put("a question for the holder", () -> provider.holder(holder.name()));
        return calls;
    }

    private static void renewAll(LockProvider provider, Contender holder) {
        for (Renewal renewal : provider.renewAll(List.of(holder.claim()))) {
            if (renewal instanceof Renewal.Unknown unknown) {
                throw unknown.failure();
            }
        }
    }
}
