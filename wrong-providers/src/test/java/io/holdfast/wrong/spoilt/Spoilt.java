package io.holdfast.wrong.spoilt;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.Cut;
import io.holdfast.wrong.WrappedMemory;
import io.holdfast.wrong.WrongProvider;
import java.util.Optional;

/** One fault of a {@link SpoiltProvider}: what it does otherwise than the in-memory provider. */
interface Spoilt extends WrongProvider {

    @Override
    default LockHarness harness() {
        Cut cut = new Cut();
        return new WrappedMemory(cut, memory -> new SpoiltProvider(memory, this, cut));
    }

    default LockCapabilities declared(LockCapabilities capabilities) {
        return capabilities;
    }

    default void open(SpoiltProvider provider) {}

    default void made(SpoiltClaim claim) {}

    default Attempt attempt(SpoiltClaim claim) {
        return claim.delegate.attempt();
    }

    default Renewal renew(SpoiltClaim claim) {
        return claim.delegate.renew();
    }

    default Release release(SpoiltClaim claim) {
        return claim.delegate.release();
    }

    default boolean hears(SpoiltClaim claim) {
        return true;
    }

    default Optional<LockHolder> holder(SpoiltProvider provider, String name) {
        return provider.delegate.holder(name);
    }

    default long highestToken(SpoiltProvider provider) {
        return provider.delegate.highestToken();
    }

    default void raiseTokens(SpoiltProvider provider, long above) {
        provider.delegate.raiseTokens(above);
    }

    default void close(SpoiltProvider provider) {
        provider.delegate.close();
    }
}
