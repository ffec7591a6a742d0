package io.holdfast.lock.core.client;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.MultiLockHandle;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.hold.OwnHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One hold over several names: held while all of them are. */
final class AllHandle implements MultiLockHandle, OwnHandle {

    private final List<HoldHandle> parts;
    private final CompletableFuture<LossCause> lost = new CompletableFuture<>();
    private final CompletionStage<LossCause> seenLost = lost.minimalCompletionStage();

    AllHandle(List<HoldHandle> parts) {
        this.parts = List.copyOf(parts);
        for (HoldHandle part : parts) {
            CompletionStage<?> unused = part.lost().thenAccept(lost::complete);
        }
    }

    @Override
    public void discard() {
        eachInReverse(HoldHandle::discard);
    }

    @Override
    public List<LockHandle> handles() {
        return List.copyOf(parts);
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
    public void requireRemaining(Duration atLeast) {
        each(parts, part -> part.requireRemaining(atLeast));
    }

    @Override
    public CompletionStage<LossCause> lost() {
        return seenLost;
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

    private void eachInReverse(Consumer<HoldHandle> action) {
        List<HoldHandle> reversed = new ArrayList<>(parts);
        Collections.reverse(reversed);
        each(reversed, action);
    }

    /** Gives every part its chance, and throws a loss, or else the first failure, with the others attached. */
    private static void each(List<HoldHandle> parts, Consumer<HoldHandle> action) {
        List<LockException> failures = new ArrayList<>();
        for (HoldHandle part : parts) {
            try {
                action.accept(part);
            } catch (LockException failure) {
                failures.add(failure);
            }
        }
        if (!failures.isEmpty()) {
            LockException told = failures.stream()
                    .filter(LockLostException.class::isInstance)
                    .findFirst()
                    .orElse(failures.get(0));
            failures.stream().filter(other -> other != told).forEach(told::addSuppressed);
            throw told;
        }
    }

    private String names() {
        return parts.stream().map(LockHandle::name).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return "MultiLockHandle[" + names() + ", " + (isHeld() ? "held" : "not held") + "]";
    }
}
