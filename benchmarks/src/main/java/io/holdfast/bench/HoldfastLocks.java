package io.holdfast.bench;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Our locks. */
final class HoldfastLocks implements Locks {

    private final LockClient client;

    HoldfastLocks(String uri) {
        this.client = LockClient.connect(uri);
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
        client.close();
    }
}
