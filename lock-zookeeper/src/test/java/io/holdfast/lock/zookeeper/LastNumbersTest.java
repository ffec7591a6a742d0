package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.ZooKeeperServer;
import java.io.IOException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock whose counter of nodes has reached its end. */
@Tag("server")
class LastNumbersTest {

    private static final String LOCK = "/a/a";

    /** Sets a node's counter of children in the files of a stopped server. */
    private static void setChildrenEver(ZooKeeperServer server, int count) throws IOException, KeeperException {
        FileTxnSnapLog files = new FileTxnSnapLog(
                server.directory().toFile(), server.directory().toFile());
        ZKDatabase database = new ZKDatabase(files);
        try {
            database.loadDataBase();
            DataTree tree = database.getDataTree();
            long lastChange = tree.statNode(LOCK, event -> {}).getPzxid();
            tree.setCversionPzxid(LOCK, count, lastChange);
            files.save(tree, database.getSessionWithTimeOuts(), true);
        } finally {
            database.close();
        }
    }

    @Proves("1.1")
    @Test
    void attemptPastTheLastNumberFailsAndLeavesNothing() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ZooKeeperLockProvider provider = ZooKeeperProviders.at("zookeeper://"
                        + ZooKeeperProviders.amongOthers(server.port()) + "/a?sessionTimeout=1m&connectTimeout=20s");
                Operator operator = Operator.at(ZooKeeperProviders.amongOthers(server.port()))) {
            TestClaim first = TestClaim.once(provider, "a");
            assertThat(first.granted()).isTrue();
            assertThat(first.released()).isTrue();
            server.kill();
            setChildrenEver(server, Integer.MAX_VALUE - 1);
            server.restart();

            TestClaim last = TestClaim.once(provider, "a");
            assertThat(answered().until(last::granted, granted -> true)).isTrue();
            assertThat(operator.queue(LOCK).get(0)).endsWith("-lock-2147483646");
            TestClaim late = TestClaim.waiting(provider, "a");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(late::granted)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll("acquire of lock 'a'", "more children than its counter can count");
                assertThat(late.released()).isFalse();
                assertThat(operator.queue(LOCK)).hasSize(1);
            }
            assertThat(last.held()).isTrue();
        }
    }
}
