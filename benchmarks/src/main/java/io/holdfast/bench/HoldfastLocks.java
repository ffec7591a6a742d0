package io.holdfast.bench;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Our locks. */
final class HoldfastLocks implements Locks {

    private final LockClient client;
    private final List<LockHandle> held = new ArrayList<>();

    HoldfastLocks(String uri) {
        this(LockClient.connect(uri));
    }

    private HoldfastLocks(LockClient client) {
        this.client = client;
    }

    /** In a table that is made first. */
    static HoldfastLocks withTable(String url) {
        return new HoldfastLocks(
                LockClient.builder(url).property("createTable", "true").build());
    }

    /** Holds a lock until the client is closed. */
    void hold(String name) throws InterruptedException {
        held.add(client.lock(name).acquire());
    }

    @Override
    public Section section(String name) {
        DistributedLock lock = client.lock(name);
        return new Section() {
            private @Nullable LockHandle handle;

            @Override
            public OptionalLong enter() throws InterruptedException {
                LockHandle granted = lock.acquire();
                handle = granted;
                return OptionalLong.of(granted.fencingToken().value());
            }

            @Override
            public void leave() {
                Objects.requireNonNull(handle).close();
            }
        };
    }

    @Override
    public void close() {
        held.forEach(LockHandle::close);
        client.close();
    }
}
