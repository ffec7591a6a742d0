package io.holdfast.wrong.kind;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrappedMemory;
import io.holdfast.wrong.WrongProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A fault that shows with some values, names or numbers alone: between the values that a test tries first, among names that are
 * alike, and when there are many.
 */
interface FaultOfAKind extends WrongProvider {

    @Override
    default LockHarness harness() {
        FaultyProvider.Store store = new FaultyProvider.Store();
        return new WrappedMemory(store.cut, memory -> new FaultyProvider(memory, this, store));
    }

    default LockCapabilities declared(LockCapabilities capabilities) {
        return capabilities;
    }

    default int batch() {
        return 100;
    }

    default String name(String name) {
        return name;
    }

    default Duration lease(Duration lease) {
        return lease;
    }

    default ClaimRequest request(ClaimRequest request) {
        return with(request, name(request.name()), lease(request.leaseTime()));
    }

    default Attempt attempt(FaultyClaim claim) {
        return claim.delegate.attempt();
    }

    /**
     * Raises the tokens.
     *
     * @param provider asks the store
     */
    default void raiseTokens(FaultyProvider provider, long above) {
        provider.store.cut.checkChange();
        provider.delegate.raiseTokens(above);
    }

    /** An attempt that asks for so many tokens. Most faults reserve none. */
    default Attempt attempt(FaultyClaim claim, int tokens) {
        return attempt(claim);
    }

    default Renewal renew(FaultyClaim claim) {
        return claim.delegate.renew();
    }

    default List<Renewal> renewAll(List<FaultyClaim> claims) {
        return claims.stream().map(FaultyClaim::renew).toList();
    }

    default long highestToken(FaultyProvider provider) {
        return provider.delegate.highestToken();
    }

    default Release release(FaultyClaim claim) {
        return claim.delegate.release();
    }

    default Optional<LockHolder> holder(FaultyProvider provider, String name) {
        return provider.delegate.holder(name(name));
    }

    default boolean hears(FaultyClaim claim) {
        return true;
    }

    /** The same request under another name, or for another lease. */
    static ClaimRequest with(ClaimRequest request, String name, Duration lease) {
        return new ClaimRequest(
                name, request.claimId(), request.ownerId(), lease, request.intent(), request.claimant());
    }
}
