package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;

/** Chapter 9, life cycle, asked of the provider. */
interface LifecycleRules extends Rules {

    @LockRule("9.1")
    default void rule91_manyThreadsUseOneProviderForManyLocks() throws InterruptedException {
        LockProvider provider = kit().provider();
        Hammer threads = new Hammer(Duration.ofMillis(500));
        for (int i = 0; i < 8; i++) {
            String name = kit().newName();
            threads.add(() -> {
                while (!threads.isOver()) {
                    Contender alone =
                            kit().bid(provider, name).leasing(kit().longLease()).get();
                    alone.mustRenew("it holds the lock");
                    alone.mustRelease(Release.RELEASED, "it holds the lock");
                }
            });
        }

        threads.run();
    }

    @LockRule("9.3")
    default void rule93_afterCloseNoThreadOfTheProviderRemains() throws InterruptedException {
        useAndClose();

        OwnThreads.mustEndWith(this::useAndClose, "the provider was closed");
    }

    @LockRule("9.3")
    default void rule93_closingAgainDoesNothing() {
        LockProvider provider = kit().provider();
        kit().bid(provider, kit().newName()).get().release();
        provider.close();

        Assertions.assertDoesNotThrow(provider::close, "closing a closed provider");
    }

    @LockRule("9.3")
    default void rule93_closingOneProviderDoesNotDisturbAnother() {
        String name = kit().newName();
        Contender holder = kit().bid(name).leasing(kit().longLease()).get();
        LockProvider other = kit().provider();
        Contender passing = kit().bid(other, name).once().enter();
        passing.mustBeContended("the lock is held");
        passing.release();
        other.close();

        holder.mustRenew("only another client was closed");
        kit().bid(name).once().enter().mustBeContended("only another client was closed");
    }

    /** All that a provider may start a thread for: a grant, a renewal, a wait, a wake-up. */
    private void useAndClose() {
        try (LockProvider provider = kit().harness().open();
                LockProvider rival = kit().harness().open()) {
            String name = kit().newName();
            Contender holder =
                    kit().bid(provider, name).leasing(kit().longLease()).get();
            Contender waiter = kit().bid(rival, name).leasing(kit().longLease()).enter();
            waiter.mustBeContended("the lock is held");
            holder.mustRenew("it holds the lock");
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            waiter.takeOver(Duration.ZERO, "the holder has left");
            waiter.mustRelease(Release.RELEASED, "it holds the lock");
        }
    }
}
