package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assertions;

/** Chapter 9, life cycle and safety under use, asked of a client. */
interface ClientLifecycleRules extends Rules {

    @LockRule("9.1")
    default void rule91_aHandleMayBeClosedByAnyThreadAndIsReleasedOnce() throws InterruptedException {
        String name = kit().newName();
        LockHandle held = kit().client().lock(name, kit().lasting()).acquire();
        List<Call<Boolean>> releases = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            releases.add(Call.start(held::release));
        }

        Assertions.assertEquals(
                1, releases.stream().filter(Call::result).count(), "of eight threads that release a hold, one does");
        kit().visitor(name).mustBeGranted("the hold was released");
    }

    @LockRule("9.1")
    default void rule91_manyThreadsUseOneClientForManyLocks() throws InterruptedException {
        LockClient client = kit().client();
        Hammer threads = new Hammer(Duration.ofMillis(500));
        for (int i = 0; i < 8; i++) {
            String name = kit().newName();
            threads.add(() -> {
                while (!threads.isOver()) {
                    try (LockHandle held = client.lock(name, kit().lasting()).acquire();
                            LockHandle nested =
                                    client.lock(name, kit().lasting()).acquire()) {
                        Assertions.assertTrue(held.renew() && nested.isHeld(), "nobody else uses this lock");
                    }
                }
            });
        }

        threads.run();
    }

    @LockRule("9.2")
    default void rule92_closingAClientEndsTheWaitsOfItsThreads() throws InterruptedException {
        String name = kit().newName();
        EventLog log = new EventLog();
        LockClient client = kit().client(log);
        LockHandle held = kit().client().lock(name, kit().lasting()).acquire();
        Call<LockHandle> first = Call.start(() -> client.lock(name).acquire()).onceItWaits();
        Call<Optional<LockHandle>> second = Call.start(() -> client.lock(name).tryAcquire(Duration.ofSeconds(60)))
                .onceItWaits();
        CompletableFuture<LockHandle> third = client.lock(name).acquireAsync();
        kit().premise(() -> log.count("contended") > 0, "somebody else holds the lock");
        Pace.Limit limit = new Pace.Limit(Pace.GONE_WITHIN);
        // By a separate thread: what else a close does, such as ending the threads of a client library, does not count.
        Call<?> closing = Call.running(client::close);

        first.mustFailWith(LockClientClosedException.class, "the client was closed");
        second.mustFailWith(LockClientClosedException.class, "the client was closed");
        Call.mustFailWith(third, LockClientClosedException.class, "the client was closed");
        Assertions.assertFalse(limit.isOver(), () -> "the waits must end within " + limit);
        closing.result();
        held.release();
        kit().visitor(name).mustBeGranted("the holder has left, and there are no waiters");
    }

    @LockRule("9.3")
    default void rule93_afterCloseNoThreadOfTheClientRemains() throws InterruptedException {
        OwnThreads.mustEndWith(this::useAndClose, "the client was closed");
    }

    /** Does all that a client may start a thread for: holds, renewals, waits, listeners, losses. */
    private void useAndClose() {
        EventLog log = new EventLog();
        String name = kit().newName();
        try (LockClient client = LockClient.builder(kit().harness().open())
                        .defaults(kit().shortOptions())
                        .listener(log)
                        .build();
                LockClient other = LockClient.builder(kit().harness().open())
                        .defaults(kit().shortOptions())
                        .build()) {
            LockHandle held = Call.resultOf(client.lock(name).acquireAsync());
            Call.resultOf(client.lock(kit().newName()).acquireAsync());
            CompletableFuture<LockHandle> waiting = other.lock(name).acquireAsync();
            CompletableFuture<LockHandle> abandoned = other.lock(name).acquireAsync();
            kit().premise(() -> log.count("renewed") > 1, "the engine renews leases");
            abandoned.cancel(true);
            held.release();
            Call.resultOf(waiting).release();
        }
    }

    @LockRule("9.4")
    default void rule94_throwingOrBlockingListenersDelayNothing() throws InterruptedException {
        CountDownLatch unblock = new CountDownLatch(1);
        // Not without end: if a slow machine loses the lock at once, the test itself is blocked.
        Duration tenLeases = kit().lease().multipliedBy(10);
        EventLog log = new EventLog();
        String name = kit().newName();
        BlockingListener blocking = new BlockingListener(unblock, tenLeases);
        LockClient client = kit().client(new ThrowingListener(), blocking, log);
        LockHandle held = client.lock(name, kit().shortOptions()).acquire();
        CompletableFuture<Void> blocked = held.lost().toCompletableFuture().thenRun(blocking::block);
        Assertions.assertTrue(
                // Four renewals take more than a lease, so some came after a listener had thrown and another blocked.
                Pace.within(kit().lease().multipliedBy(5), () -> log.count("renewed") >= 4),
                "renewals go on, and the other listeners hear of them");
        Assertions.assertTrue(held.release(), "renewals go on while a listener blocks");
        Assertions.assertTrue(
                Pace.within(kit().lease(), () -> log.count("released") == 1),
                "the other listeners hear of the release");
        Assertions.assertFalse(blocked.isDone(), "nothing was lost");
        unblock.countDown();
    }

    @LockRule("9.5")
    default void rule95_everythingWorksAgainAfterAFailureOfTheStore() throws InterruptedException {
        String name = kit().newName();
        Interposer network = new Interposer(kit().provider());
        LockClient client = kit().clientOver(network);
        network.attemptsTravel(Interposer.Network.REPLY_LOST);
        network.renewalsTravel(Interposer.Network.REPLY_LOST);
        for (int i = 0; i < 3; i++) {
            Assertions.assertThrows(
                    LockStoreException.class, () -> client.lock(name).acquire(), "the outcome is unknown");
        }
        network.attemptsTravel(Interposer.Network.WELL);
        network.renewalsTravel(Interposer.Network.WELL);

        LockHandle held = client.lock(name)
                .tryAcquire(Pace.BACK_WITHIN)
                .orElseThrow(() -> new AssertionError("the store is back, and nobody holds the lock"));
        Assertions.assertTrue(held.renew(), "the store is back");
        Assertions.assertTrue(held.release(), "the store is back");
    }

    @LockRule("9.7")
    @Needs(hooks = Hook.OUTAGE)
    default void rule97_pingFailsDuringAnOutageAndIsAnsweredAfterIt() {
        Fault outage = Trouble.outage(kit());
        LockClient client = kit().client();
        Callable<Object> ping = () -> {
            client.ping();
            return true;
        };
        client.ping();
        outage.begin().run();
        try {
            Call.start(ping).mustFailWith(LockStoreException.class, "the store cannot be reached");
        } finally {
            outage.end().run();
        }
        Assertions.assertTrue(
                Pace.within(Pace.BACK_WITHIN, () -> Call.isAnswered(ping)), "the store can be reached again");
    }
}
