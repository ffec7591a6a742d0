package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Providers that are odd: {@code odd:grants} always grants, {@code odd:scarce} does so only for a second or longer, the attempts
 * of {@code odd:hangs} never return, and {@code odd:session} declares sessions although no network leads to it. That of
 * {@code odd:memory} is right, and its store is in each process that opens it. The store of {@code odd:dies} dies with the first
 * claim, for all providers.
 */
public final class OddProviderFactory implements LockProviderFactory {

    private static final Duration A_SECOND = Duration.ofSeconds(1);

    /** For the service loader. */
    public OddProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("odd");
    }

    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        String kind = uri.getSchemeSpecificPart();
        return switch (kind) {
            case "memory" -> MemoryLockProvider.builder("odd").build();
            case "dies", "dies-in-a-soak" -> new MortalStore(kind);
            case "forgets" ->
                new ForgetfulProvider(MemoryLockProvider.builder("odd-forgets").build());
            default -> new OddProvider(kind);
        };
    }

    /** Its store dies with the first claim: before it, the command asks for the holder alone. */
    private record MortalStore(String kind) implements LockProvider {

        private static final Set<String> DEAD = ConcurrentHashMap.newKeySet();

        @Override
        public LockCapabilities capabilities() {
            return LockCapabilities.BASIC;
        }

        @Override
        public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
            DEAD.add(kind);
            throw new LockStoreException("the store has died");
        }

        @Override
        public Optional<LockHolder> holder(String name) {
            if (DEAD.contains(kind)) {
                throw new LockStoreException("the store has died");
            }
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    /** Its store drops the record of a long lease a second after the grant, whatever was renewed meanwhile. */
    private record ForgetfulProvider(MemoryLockProvider store) implements LockProvider {

        @Override
        public LockCapabilities capabilities() {
            return store.capabilities();
        }

        @Override
        public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
            Claim claim = store.newClaim(request, signals);
            return request.leaseTime().compareTo(A_SECOND) < 0 ? claim : new ForgottenClaim(claim, System.nanoTime());
        }

        @Override
        public Optional<LockHolder> holder(String name) {
            return store.holder(name);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private record ForgottenClaim(Claim claim, long madeAt) implements Claim {

        @Override
        public Attempt attempt() {
            return claim.attempt();
        }

        @Override
        public Renewal renew() {
            if (System.nanoTime() - madeAt > A_SECOND.toNanos()) {
                claim.release();
            }
            return claim.renew();
        }

        @Override
        public Release release() {
            return claim.release();
        }
    }

    private record OddProvider(String kind) implements LockProvider {

        @Override
        public LockCapabilities capabilities() {
            return kind.startsWith("session")
                    ? LockCapabilities.BASIC.withLeaseControl(LeaseControl.SESSION)
                    : LockCapabilities.BASIC;
        }

        @Override
        public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
            return new OddClaim(request, kind);
        }

        @Override
        public Optional<LockHolder> holder(String name) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private record OddClaim(ClaimRequest request, String kind) implements Claim {

        @Override
        public Attempt attempt() {
            if (kind.equals("scarce") && request.leaseTime().compareTo(A_SECOND) < 0) {
                return new Attempt.Contended(Optional.empty());
            }
            if (kind.equals("hangs")) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            return new Attempt.Granted(Optional.empty(), request.validFor());
        }

        @Override
        public Renewal renew() {
            return new Renewal.Held(request.validFor());
        }

        @Override
        public Release release() {
            return Release.RELEASED;
        }
    }
}
