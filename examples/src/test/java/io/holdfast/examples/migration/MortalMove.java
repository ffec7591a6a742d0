package io.holdfast.examples.migration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.core.migration.MigratingLockProvider;
import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.parts.MortalProvider;
import io.holdfast.parts.MortalProvider.Death;
import io.holdfast.servers.TcpProxy;
import java.time.Duration;

/**
 * From Redis to ZooKeeper, for the kit. It plays a dead holder by calling it no more, and ZooKeeper's session has to end then. So does the
 * lock by which the client tells its phase: its renewals do not keep the session alive.
 *
 * @param death from when on a session needs calls
 */
record MortalMove(Death death) implements LockHarness {

    @Override
    public LockProvider open() {
        TcpProxy proxy = TcpProxy.to("127.0.0.1", Move.zooKeeperPort());
        LockProvider to = LockClient.builder(
                        "zookeeper://127.0.0.1:" + proxy.port() + "/kit?sessionTimeout=" + lease().toMillis() + "ms")
                .buildProvider();
        return MigratingLockProvider.between(
                        LockClient.builder(Move.redisForTheKit()).buildProvider(),
                        new MortalProvider(to, proxy, lease(), death, name -> !name.startsWith("holdfast.migration.")))
                .phase(Phase.BOTH)
                .build();
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
