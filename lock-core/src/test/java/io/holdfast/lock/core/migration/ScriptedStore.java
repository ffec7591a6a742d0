package io.holdfast.lock.core.migration;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store that notes what it is asked for the locks of applications, and answers as it is told. */
final class ScriptedStore implements LockProvider {

    private final String name;
    private final List<String> calls;
    private final LockCapabilities capabilities;
    private final Set<String> refused = new HashSet<>();
    private Duration validFor = Duration.ofSeconds(30);
    private boolean free = true;

    ScriptedStore(String name, List<String> calls, WakeUp wakeUp) {
        this.name = name;
        this.calls = calls;
        this.capabilities = LockCapabilities.BASIC.withWakeUp(wakeUp);
    }

    ScriptedStore(String name, List<String> calls) {
        this(name, calls, WakeUp.POLL);
    }

    ScriptedStore grantsFor(Duration time) {
        validFor = time;
        return this;
    }

    ScriptedStore isHeldByAnother() {
        free = false;
        return this;
    }

    /** Lets calls of a kind fail. */
    ScriptedStore fails(String call) {
        refused.add(call);
        return this;
    }

    private void called(String call) {
        calls.add(call + " " + name);
        if (refused.contains(call)) {
            throw new LockStoreException("the store " + name + " fails at " + call);
        }
    }

    @Override
    public LockCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return request.name().startsWith(Presence.PREFIX) ? new Place() : new Noted();
    }

    /** Always granted. */
    private static class Place implements Claim {
        @Override
        public Attempt attempt() {
            return new Attempt.Granted(Optional.<FencingToken>empty(), Duration.ofMinutes(1));
        }

        @Override
        public Renewal renew() {
            return new Renewal.Held(Duration.ofMinutes(1));
        }

        @Override
        public Release release() {
            return Release.RELEASED;
        }
    }

    private final class Noted implements Claim {
        @Override
        public Attempt attempt() {
            called("attempt");
            return free
                    ? new Attempt.Granted(Optional.empty(), validFor)
                    : new Attempt.Contended(Optional.of(Duration.ofSeconds(1)));
        }

        @Override
        public Renewal renew() {
            called("renew");
            return new Renewal.Held(validFor);
        }

        @Override
        public Release release() {
            called("release");
            return Release.RELEASED;
        }
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        List<Renewal> renewals = new ArrayList<>();
        claims.forEach(claim -> renewals.add(claim.renew()));
        return renewals;
    }

    @Override
    public Optional<LockHolder> holder(String lock) {
        return Optional.empty();
    }

    @Override
    public void raiseTokens(long above) {
        throw new UnsupportedCapabilityException("this store has no tokens");
    }

    @Override
    public void close() {
        called("close");
    }
}
