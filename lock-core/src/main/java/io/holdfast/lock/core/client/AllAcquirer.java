package io.holdfast.lock.core.client;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.OwnHandle;
import io.holdfast.lock.core.local.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several names, all or none, under one deadline. Always in the order of the names, so that two of these never wait for
 * each other in a circle.
 */
final class AllAcquirer implements Acquirer {

    private final List<? extends Acquirer> parts;

    /**
     * Creates an acquirer.
     *
     * @param parts in the order of their names
     */
    AllAcquirer(List<? extends Acquirer> parts) {
        this.parts = List.copyOf(parts);
    }

    @Override
    public List<String> names() {
        return parts.stream().flatMap(part -> part.names().stream()).toList();
    }

    @Override
    public Optional<OwnHandle> acquire(OwnerId owner, Deadline deadline, Interrupts interrupts)
            throws InterruptedException {
        List<OwnHandle> taken = new ArrayList<>(parts.size());
        boolean complete = false;
        try {
            for (Acquirer part : parts) {
                Optional<OwnHandle> handle = part.acquire(owner, deadline, interrupts);
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
    private static void requireHeld(List<OwnHandle> taken) {
        for (OwnHandle part : taken) {
            if (!part.isHeld()) {
                throw new LockStoreException(
                        "The lock '" + part.name()
                                + "' was granted, but lost while the others were waited for: its lease ran out, or it was taken");
            }
        }
    }

    @Override
    public CompletableFuture<Optional<OwnHandle>> acquireAsync(OwnerId owner, Deadline deadline) {
        CompletableFuture<Optional<OwnHandle>> whole = new CompletableFuture<>();
        takeNext(owner, deadline, new ArrayList<>(parts.size()), whole);
        return whole;
    }

    private void takeNext(
            OwnerId owner, Deadline deadline, List<OwnHandle> taken, CompletableFuture<Optional<OwnHandle>> whole) {
        CompletableFuture<Optional<OwnHandle>> next = parts.get(taken.size()).acquireAsync(owner, deadline);
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

    private void end(List<OwnHandle> taken, @Nullable Throwable failure, CompletableFuture<Optional<OwnHandle>> whole) {
        AllHandle handle = new AllHandle(taken);
        if (taken.size() < parts.size()) {
            handle.discard();
            if (failure != null) {
                whole.completeExceptionally(failure);
            } else {
                whole.complete(Optional.empty());
            }
            return;
        }
        try {
            requireHeld(taken);
            if (!whole.complete(Optional.of(handle))) {
                handle.discard();
            }
        } catch (LockStoreException lost) {
            handle.discard();
            whole.completeExceptionally(lost);
        }
    }
}
