package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A replica has the record of a lock, perhaps an old one, and would answer from it. */
@Execution(ExecutionMode.CONCURRENT)
class DemotedMasterTest extends SentinelScene {

    /** Has all sentinels call a server the master, and makes them say so to those who listen already. */
    private void name(RedisServer server) {
        for (RedisServer sentinel : sentinels.sentinels()) {
            sentinel.command("SENTINEL", "REMOVE", RedisSentinels.MASTER);
            // No sentinel can be outvoted by so many.
            sentinel.command(
                    "SENTINEL", "MONITOR", RedisSentinels.MASTER, server.host(), Integer.toString(server.port()), "9");
            sentinel.command("CLIENT", "KILL", "TYPE", "pubsub");
        }
    }

    @Test
    void replicaThatSentinelsNameIsNotAsked() {
        keepMaster();
        RedisServer master = sentinels.master();
        RedisServer replica = sentinels.servers().get(1);
        try (RedisLockProvider before = provider("")) {
            TestClaim holder = TestClaim.once(before, "a");
            assertThat(holder.granted()).isTrue();
            awaitReplicated("holdfast:a");
            name(replica);
            try (RedisLockProvider misled = provider("")) {
                String why = "READONLY: it is no master but a replica";
                assertFails(TestClaim.once(misled, "a")::granted, "Redis at " + sentinels.addresses(), why);
                assertFails(TestClaim.once(misled, "free")::granted, "READONLY");
                assertFails(() -> misled.holder("a"), why);
                TestClaim other = TestClaim.once(misled, "b");
                assertFails(other::held, why);
                assertFails(() -> misled.renewAll(List.of(other.claim)), why);

                CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(
                        () -> TestClaim.waiting(misled, "free").granted());
                name(master);
                assertThat(waiting).succeedsWithin(BOUND).isEqualTo(true);
            }
        }
    }

    @Test
    void connectionsToAMasterThatBecomesAReplicaAreDropped() {
        keepMaster();
        RedisServer master = sentinels.master();
        try (RedisLockProvider provider = provider("")) {
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
            List<String> before = connections(master);
            assertThat(before).hasSize(1);
            sentinels.sentinels().forEach(RedisServer::kill);
            master.command(
                    "REPLICAOF",
                    "127.0.0.1",
                    Integer.toString(sentinels.servers().get(1).port()));

            assertFails(TestClaim.once(provider, "a")::granted, "READONLY");
            soon().until(() -> connections(master).stream().noneMatch(before::contains));
        }
    }
}
