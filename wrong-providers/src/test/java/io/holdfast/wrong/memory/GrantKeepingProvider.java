package io.holdfast.wrong.memory;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The side of a client that knows which of its claims were granted and not released. Right, as long as no step is overridden.
 * Thread-safe.
 */
class GrantKeepingProvider extends MemoryProvider {

    final Set<PlainClaim> granted = ConcurrentHashMap.newKeySet();

    GrantKeepingProvider(PlainStore store) {
        super(store);
    }

    @Override
    Attempt attempt(PlainClaim claim) {
        Attempt answer = super.attempt(claim);
        if (answer instanceof Attempt.Granted) {
            granted.add(claim);
        }
        return answer;
    }

    @Override
    Release release(PlainClaim claim) {
        granted.remove(claim);
        return super.release(claim);
    }
}
