package io.holdfast.lock.core.client;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.core.hold.OwnHandle;
import io.holdfast.lock.core.hold.SharedLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One hold over several names: held while all of them are. */
final class AllHandle implements OwnHandle {

    private final List<OwnHandle> parts;
    private final SharedLoss lost = new SharedLoss();

    AllHandle(List<OwnHandle> parts) {
        this.parts = List.copyOf(parts);
        for (OwnHandle part : parts) {
            CompletableFuture<?> unused = part.lost().thenAccept(lost::complete);
        }
    }

    @Override
    public void discard() {
        eachInReverse(OwnHandle::discard);
    }

    @Override
    public String name() {
        return parts.stream().map(LockHandle::name).collect(Collectors.joining(", "));
    }

    @Override
    public FencingToken fencingToken() {
        if (parts.size() == 1) {
            return parts.get(0).fencingToken();
        }
        throw new UnsupportedCapabilityException(
                "A hold over " + parts.size() + " locks has a fencing token for each of them: see parts()");
    }

    @Override
    public boolean isHeld() {
        return parts.stream().allMatch(LockHandle::isHeld);
    }

    @Override
    public Duration remaining() {
        return parts.stream()
                .map(LockHandle::remaining)
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Override
    public void ensure(Duration atLeast) {
        parts.forEach(part -> part.ensure(atLeast));
    }

    @Override
    public CompletableFuture<LossCause> lost() {
        return lost.shared();
    }

    @Override
    public boolean renew() {
        List<Boolean> renewed = new ArrayList<>(parts.size());
        each(parts, part -> renewed.add(part.renew()));
        return !renewed.contains(false);
    }

    @Override
    public boolean release() {
        List<Boolean> released = new ArrayList<>(parts.size());
        eachInReverse(part -> released.add(part.release()));
        return !released.contains(false);
    }

    @Override
    public void close() {
        eachInReverse(LockHandle::close);
    }

    private void eachInReverse(Consumer<OwnHandle> action) {
        List<OwnHandle> reversed = new ArrayList<>(parts);
        Collections.reverse(reversed);
        each(reversed, action);
    }

    /** Gives every part its chance, whatever happens to another, and throws the first failure with the others attached. */
    private static void each(List<OwnHandle> parts, Consumer<OwnHandle> action) {
        @Nullable LockException first = null;
        for (OwnHandle part : parts) {
            try {
                action.accept(part);
            } catch (LockException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public List<LockHandle> parts() {
        return List.copyOf(parts);
    }

    @Override
    public String toString() {
        return "LockHandle[" + name() + ", " + (isHeld() ? "held" : "not held") + "]";
    }
}
