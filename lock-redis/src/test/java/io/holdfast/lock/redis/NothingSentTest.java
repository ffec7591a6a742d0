package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.LocksUser;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.servers.RedisServer;
import org.junit.jupiter.api.Test;

/** An acquire that sent nothing to the store leaves nothing to release, so the following close has nothing to report. */
class NothingSentTest extends RedisServerScene {

    @Test
    void aWrongPasswordIsReportedOnce() {
        server.command("CONFIG", "SET", "requirepass", "right");
        failsAndCloses("redis://:wrong@127.0.0.1:" + server.port(), "WRONGPASS");
        failsAndCloses("redis://127.0.0.1:" + server.port(), "NOAUTH");
    }

    @Test
    void aRefusedConnectionIsReportedOnce() {
        failsAndCloses("redis://127.0.0.1:" + RedisServer.freePort(), "cannot connect");
    }

    @Test
    void aFailureOfTlsIsReportedOnce() {
        failsAndCloses("rediss://127.0.0.1:" + server.port() + "?timeout=300ms", "timed out");
    }

    @Test
    void attemptWithoutTheRightToRunScriptsIsReportedOnce() {
        LocksUser.of("redis.md", server).allowAllBut("+eval");
        failsAndCloses("redis://locks:secret@127.0.0.1:" + server.port(), "'eval' command");
    }

    private static void failsAndCloses(String uri, String reason) {
        LockClient client = LockClient.connect(uri);
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(reason);
        assertThatCode(client::close).doesNotThrowAnyException();
    }
}
