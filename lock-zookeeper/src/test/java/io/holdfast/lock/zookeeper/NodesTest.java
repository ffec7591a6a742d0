package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockNames;
import io.holdfast.lock.LockStoreException;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;

/** The nodes that locks are made of. */
class NodesTest {

    @LockRule("1.4")
    @Test
    void everyNameIsOneSegmentThatNoOtherNameHas() {
        List<String> names = List.of(
                ".",
                "..",
                "...",
                "%2E",
                "a/b",
                "a%2Fb",
                "a b",
                "a\u0000",
                "\u007F",
                "\u00E9",
                "e\u0301",
                "\uD83D\uDD12",
                "\uF8FF",
                "\uFFFF",
                "zookeeper",
                "stock:42",
                "x".repeat(LockNames.MAX_LENGTH),
                "\uFFFD".repeat(LockNames.MAX_LENGTH));
        List<String> segments = names.stream().map(LockPaths::segment).toList();

        assertThat(segments).doesNotHaveDuplicates().noneMatch(segment -> segment.contains("/"));
        segments.forEach(segment -> PathUtils.validatePath("/holdfast/" + segment));
        assertThat(LockPaths.segment("Stock-42_a.b")).isEqualTo("Stock-42_a.b");
        assertThat(LockPaths.segment("stock:42/é")).isEqualTo("stock%3A42%2F%C3%A9");
    }

    @Test
    void aLineIsOrderedByTheNumbersOfItsBids() {
        Line line = Line.of(List.of("_c_z-lock-0000000002", "lock-0000000001", "other", "_c_a-lock-0000000010"));

        assertThat(line.nodes()).containsExactly("lock-0000000001", "_c_z-lock-0000000002", "_c_a-lock-0000000010");
        assertThat(line.before("_c_z-lock-0000000002")).contains("lock-0000000001");
        assertThat(line.before("lock-0000000001")).isEmpty();
        assertThat(Line.isPastTheEnd("lock--2147483648")).isTrue();
    }

    @Test
    void theServerRemovesEmptyNodesAndABidMakesThemAgain() {
        try (ZooKeeperServer server = ZooKeeperServer.start(Duration.ofMillis(300));
                Operator operator = Operator.of(server);
                ZooKeeperLockProvider provider = Providers.on(server, "/some/base?sessionTimeout=1m")) {
            for (int i = 0; i < 2; i++) {
                Bidder bidder = Bidder.waiting(provider, "a");
                assertThat(bidder.granted()).isTrue();
                assertThat(bidder.released()).isTrue();
                Waits.soon().until(() -> !operator.exists("/some"));
            }
        }
    }

    @Test
    void nodesOfAClientWithCredentialsAreItsAlone() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ZooKeeperLockProvider stranger = Providers.on(server, "/a?sessionTimeout=1m");
                ZooKeeperLockProvider owner = Providers.at(
                        "zookeeper://" + server.host() + ":" + server.port() + "/a?sessionTimeout=1m",
                        Map.of("user", "me", "password", "s%cret:1"))) {
            Bidder bidder = Bidder.waiting(owner, "a");
            assertThat(bidder.granted()).isTrue();
            assertThat(bidder.held()).isTrue();

            assertThatThrownBy(() -> Bidder.once(stranger, "a").granted())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("acquire of lock 'a'", "not permitted")
                    .hasMessageNotContaining("s%cret");
            assertThat(bidder.released()).isTrue();
        }
    }
}
