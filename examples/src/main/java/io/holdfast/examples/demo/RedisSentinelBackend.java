package io.holdfast.examples.demo;

import io.holdfast.servers.RedisSentinels;
import java.time.Duration;
import java.util.Optional;

/** A Redis master with two replicas, started for the demo, and sentinels that make a replica the master when it is killed. */
final class RedisSentinelBackend implements DemoBackend {

    /** A release that the master has answered may be lost with it: then nobody gets the lock before the lease ends. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    @Override
    public String name() {
        return "redis-sentinel";
    }

    @Override
    public Stage stage() {
        return new ProcessStage();
    }

    @Override
    public Store start() {
        RedisSentinels sentinels = RedisSentinels.start();
        return new RunningStore(
                "redis-sentinel://" + sentinels.addresses() + "/" + RedisSentinels.MASTER + "?timeout=500ms&lease="
                        + LEASE.toSeconds() + "s",
                "a Redis master with " + (sentinels.servers().size() - 1) + " replicas, and sentinels on "
                        + sentinels.addresses(),
                sentinels::close,
                Optional.of(new Mishap(
                        "the master is killed (SIGKILL); a replica takes over when the sentinels have missed it for a second",
                        () -> sentinels.master().kill(),
                        Mishap.Harm.LOCKS_MAY_BE_LOST)));
    }
}
