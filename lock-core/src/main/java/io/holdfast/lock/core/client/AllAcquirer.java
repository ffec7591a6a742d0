package io.holdfast.lock.core.client;

import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.local.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several names, all or none, under one deadline. Always in the order of the names, so that two of these never wait for
 * each other in a circle.
 */
final class AllAcquirer implements Acquirer<AllHandle> {

    private final Services services;
    private final List<SingleAcquirer> parts;

    /**
     * Creates an acquirer.
     *
     * @param parts in the order of their names
     */
    AllAcquirer(Services services, List<SingleAcquirer> parts) {
        this.services = services;
        this.parts = List.copyOf(parts);
    }

    @Override
    public List<String> names() {
        return parts.stream().flatMap(part -> part.names().stream()).toList();
    }

    @Override
    public Optional<AllHandle> acquire(OwnerId owner, Deadline deadline, Interrupts interrupts)
            throws InterruptedException {
        List<HoldHandle> taken = new ArrayList<>(parts.size());
        boolean complete = false;
        try {
            for (SingleAcquirer part : parts) {
                Optional<HoldHandle> handle = part.acquire(owner, deadline, interrupts);
                if (handle.isEmpty()) {
                    return Optional.empty();
                }
                taken.add(handle.get());
            }
            requireHeld(taken);
            complete = true;
            return Optional.of(new AllHandle(taken));
        } finally {
            if (!complete) {
                new AllHandle(taken).discard();
            }
        }
    }

    /** The first part may have been lost while the last one was waited for: that is not a hold to hand out. */
    private static void requireHeld(List<HoldHandle> taken) {
        for (HoldHandle part : taken) {
            try {
                part.requireRemaining(Duration.ZERO);
            } catch (LockLostException lost) {
                LossCause cause = lost.lossCause();
                String message = "The lock '" + part.name() + "' was granted, but lost (" + cause
                        + ") while the others were waited for";
                throw new LockLostException(message, cause);
            }
        }
    }

    @Override
    public CompletableFuture<Optional<AllHandle>> acquireAsync(OwnerId owner, Deadline deadline) {
        CompletableFuture<Optional<AllHandle>> whole = new CompletableFuture<>();
        takeNext(owner, deadline, new ArrayList<>(parts.size()), whole);
        return whole;
    }

    private void takeNext(
            OwnerId owner, Deadline deadline, List<HoldHandle> taken, CompletableFuture<Optional<AllHandle>> whole) {
        CompletableFuture<Optional<HoldHandle>> next = parts.get(taken.size()).acquireAsync(owner, deadline);
        // Should the application complete the whole (cancelled, timed out), the part that waits ends with it.
        CompletableFuture<?> unused = whole.whenComplete((handle, failure) -> next.cancel(false));
        unused = next.whenComplete((handle, failure) -> {
            if (handle != null && handle.isPresent()) {
                taken.add(handle.get());
                if (taken.size() < parts.size() && !whole.isDone()) {
                    takeNext(owner, deadline, taken, whole);
                    return;
                }
            }
            end(taken, failure, whole);
        });
    }

    /** If the lock was not granted, the caller hears of that only when every part has been given back. */
    private void end(
            List<HoldHandle> taken, @Nullable Throwable failure, CompletableFuture<Optional<AllHandle>> whole) {
        AllHandle handle = new AllHandle(taken);
        if (taken.size() < parts.size()) {
            Runnable tell = failure != null
                    ? () -> whole.completeExceptionally(failure)
                    : () -> whole.complete(Optional.empty());
            if (taken.isEmpty()) {
                tell.run();
            } else {
                services.discard(handle, tell);
            }
            return;
        }
        try {
            requireHeld(taken);
        } catch (LockLostException lost) {
            services.discard(handle, () -> whole.completeExceptionally(lost));
            return;
        }
        if (!whole.complete(Optional.of(handle))) {
            services.discard(handle);
        }
    }
}
