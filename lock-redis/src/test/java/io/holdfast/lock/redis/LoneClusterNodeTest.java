package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node that is in no cluster: not yet, or no longer. */
@Tag("server")
class LoneClusterNodeTest {

    @Test
    @Proves("9.5")
    void failsCallsUntilItHasSlots() {
        try (RedisServer node = RedisServer.start("--cluster-enabled", "yes", "--cluster-port", RedisServer.FREE_PORT);
                RedisLockProvider provider =
                        RedisProviders.at("redis-cluster://" + node.host() + ":" + node.port() + "?timeout=1s")) {
            TestClaim claim = TestClaim.once(provider, "stock");
            assertThatThrownBy(claim::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("belongs to no cluster");

            node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
            answered().until(claim::granted);
            assertThat(claim.released()).isTrue();
        }
    }

    @Test
    @Proves("9.5")
    void thatLeavesItsClusterFailsCallsUntilItIsBack() {
        try (RedisServer node =
                RedisServer.start("--cluster-enabled", "yes", "--cluster-port", RedisServer.FREE_PORT)) {
            node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
            try (RedisLockProvider provider =
                    RedisProviders.at("redis-cluster://" + node.host() + ":" + node.port() + "?timeout=1s")) {
                TestClaim claim = TestClaim.once(provider, "stock");
                answered().until(claim::granted);
                assertThat(claim.released()).isTrue();
                node.command("CLUSTER", "DELSLOTSRANGE", "0", "16383");
                TestClaim failing = TestClaim.once(provider, "stock");
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(failing::granted).isInstanceOf(LockStoreException.class);
                }

                node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
                answered().until(failing::granted);
                assertThat(failing.released()).isTrue();
            }
        }
    }
}
