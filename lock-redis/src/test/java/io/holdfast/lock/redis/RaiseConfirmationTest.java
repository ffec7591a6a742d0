package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Waits;
import io.holdfast.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Raised tokens that replicas confirm, on a master with two replicas. */
@Tag("server")
class RaiseConfirmationTest extends SentinelScene {

    private static final long ABOVE = 8_000_000_000_000_000L;

    @Test
    void raiseIsToldWhenTheReplicasHaveIt() {
        keepMaster();
        RedisServer master = sentinels.master();
        List<RedisServer> replicas =
                sentinels.servers().stream().filter(server -> server != master).toList();
        Waits.soon().until(() -> master.command("WAIT", "2", "100").equals(2L));
        String uri = "redis://" + master.host() + ":" + master.port() + "?";
        try (RedisLockProvider patient = RedisProviders.at(uri + "replicas=2&replicaTimeout=10s");
                RedisLockProvider impatient = RedisProviders.at(uri + "replicas=1&replicaTimeout=50ms")) {
            patient.raiseTokens(ABOVE);
            assertThat(replicas)
                    .allMatch(
                            replica -> replica.command("GET", "holdfast:#fence").equals(Long.toString(ABOVE)));

            replicas.forEach(RedisServer::pause);
            String problem = "the tokens were raised, but only 0 of 1 replicas have confirmed that within 50 ms; raise"
                    + " them again";
            assertFails(() -> impatient.raiseTokens(ABOVE + 1), problem);
            // WAIT is about the writes of a connection, and this one is new. So the value that is
            // there is written again.
            master.command("CLIENT", "KILL", "TYPE", "normal");
            long writes = master.calls("set");
            assertFails(() -> impatient.raiseTokens(ABOVE + 1), problem);
            assertThat(master.calls("set")).isGreaterThan(writes);
        } finally {
            replicas.forEach(RedisServer::resume);
        }
    }
}
