package io.holdfast.wrong.mutant;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.Cut;
import io.holdfast.wrong.WrappedMemory;
import io.holdfast.wrong.WrongProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A fault of a provider. Each has been released in some lock library. */
interface Mutant extends WrongProvider {

    /** Between the two steps of a change that is not atomic: wide enough for a thread that is late on a busy machine. */
    Duration LATE_STEP = Duration.ofMillis(20);

    @Override
    default LockHarness harness() {
        Cut cut = new Cut();
        return new WrappedMemory(cut, memory -> MutantProvider.over(memory, this, cut));
    }

    default void open() {}

    default LockCapabilities declared(LockCapabilities capabilities) {
        return capabilities;
    }

    default void close(MutantProvider provider) {}

    default boolean wakes(ClaimRequest request) {
        return true;
    }

    default boolean hears(MutantClaim claim) {
        return true;
    }

    default Optional<LockHolder> holder(MutantProvider provider, String name) {
        return provider.delegate().holder(name(name));
    }

    default long highestToken(MutantProvider provider) {
        return provider.delegate().highestToken();
    }

    default void raiseTokens(MutantProvider provider, long above) {
        provider.delegate().raiseTokens(above);
    }

    default List<Renewal> renewAll(List<MutantClaim> claims) {
        return claims.stream().map(MutantClaim::renew).toList();
    }

    default String name(String name) {
        return name;
    }

    default ClaimRequest request(ClaimRequest request, MutantProvider provider) {
        return with(request, name(request.name()), request.ownerId(), request.leaseTime());
    }

    default Attempt attempt(MutantClaim claim) {
        return claim.delegate.attempt();
    }

    default Renewal renew(MutantClaim claim) {
        return claim.delegate.renew();
    }

    default Release release(MutantClaim claim) {
        return claim.delegate.release();
    }

    /** The same request under another name or owner, or for another lease. */
    static ClaimRequest with(ClaimRequest request, String name, String owner, Duration lease) {
        return new ClaimRequest(name, request.claimId(), owner, lease, request.intent(), request.claimant());
    }
}
