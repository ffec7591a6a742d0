package io.holdfast.examples.migration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.core.migration.MigratingLockProvider;
import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.MortalProvider;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import io.holdfast.lock.tck.faults.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Moves for the kit. Each phase has locks of its own: a client in the first phase and one in the last must not meet. These moves
 * have no fleet, as the clients of the kit would count as members of it.
 */
final class Moves {
    private static final String NO_FAULTS =
            "both stores are tested with faults alone, and not while locks move between them";

    private Moves() {}

    static LockHarness stringToHash(Phase phase) {
        return harness(
                phase,
                Stores.redis() + "?layout=string&prefix=string-" + phase + ":",
                Stores.redis() + "?layout=hash&prefix=hash-" + phase + ":");
    }

    static LockHarness redissonToRedis(Phase phase) {
        return harness(
                phase,
                Stores.redisson() + "/" + List.of(Phase.values()).indexOf(phase),
                Stores.redis() + "?prefix=from-redisson-" + phase + ":");
    }

    static LockHarness postgreSqlToRedis(Phase phase) {
        return new InOneJvm(
                () -> migrating(
                        phase,
                        LockClient.builder(Stores.postgreSql())
                                .property("table", "lock_" + phase)
                                .property("createTable", "true")
                                .buildProvider(),
                        provider(Stores.redis() + "?prefix=from-postgresql-" + phase + ":")),
                // PostgreSQL takes tokens that Redis cannot have, and once it does, no lock can be had in both.
                false);
    }

    static LockHarness redisToZooKeeper(Phase phase, Death death) {
        return new ToZooKeeper(phase, death);
    }

    private static LockHarness harness(Phase phase, String from, String to) {
        return new InOneJvm(() -> migrating(phase, provider(from), provider(to)), true);
    }

    /**
     * With a longer lease than usual: the kits of all moves and phases run at the same time, beside their servers.
     *
     * @param opening opens a provider
     * @param isDisposable whether tokens may be raised to any number
     */
    private record InOneJvm(Supplier<LockProvider> opening, boolean isDisposable) implements LockHarness {

        @Override
        public LockProvider open() {
            return opening.get();
        }

        @Override
        public Faults faults() {
            return Faults.none(NO_FAULTS);
        }

        @Override
        public Duration lease() {
            return Duration.ofSeconds(1);
        }
    }

    private static LockProvider migrating(Phase phase, LockProvider from, LockProvider to) {
        return MigratingLockProvider.between(from, to, phase).build();
    }

    private static LockProvider provider(String uri) {
        return LockClient.builder(uri).buildProvider();
    }

    /**
     * The kit plays a dead holder by calling it no more, and ZooKeeper's session has to end then. So does the lock by which the
     * client tells its phase: its renewals do not keep the session alive.
     *
     * @param phase the phase
     * @param death from when on a session needs calls
     */
    private record ToZooKeeper(Phase phase, Death death) implements LockHarness {

        @Override
        public LockProvider open() {
            TcpProxy proxy = TcpProxy.to("127.0.0.1", Stores.zooKeeperPort());
            LockProvider to = provider("zookeeper://127.0.0.1:" + proxy.port() + "/" + phase + "?sessionTimeout="
                    + lease().toMillis() + "ms");
            return migrating(
                    phase,
                    provider(Stores.redis() + "?prefix=to-zookeeper-" + phase + ":"),
                    new MortalProvider(to, proxy, lease(), death, name -> !name.startsWith("holdfast.migration.")));
        }

        @Override
        public Faults faults() {
            return Faults.none(NO_FAULTS);
        }

        /** The time-out of the session. */
        @Override
        public Duration lease() {
            return Duration.ofSeconds(2);
        }

        /** A server ends a session at the end of a tick, which is 2 seconds by default; the rest is for a busy server. */
        @Override
        public Duration expiryTolerance() {
            return Duration.ofMillis(2_500);
        }
    }
}
