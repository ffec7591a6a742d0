package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.servers.RedisServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another server becomes the master while a lock is held, renewed and waited for. */
class FailOverTest extends SentinelScene {

    private static final String CHANNEL = "holdfast:#free:a";

    /** How a master ceases to be one. */
    enum End {
        KILLED,
        PAUSED,
        DEMOTED
    }

    private RedisServer end(End end, RedisServer former) {
        switch (end) {
            case KILLED -> former.kill();
            case PAUSED -> former.pause();
            case DEMOTED -> {
                return sentinels.failOver();
            }
        }
        return sentinels.awaitMasterOtherThan(former);
    }

    @ParameterizedTest
    @EnumSource
    void holderKeepsTheLockAndWaitersGoOn(End end) throws Exception {
        try (LockClient holding = connect("timeout=500ms&lease=20s");
                LockClient waiting = connect("timeout=500ms")) {
            LockHandle held = holding.lock("a").acquire();
            CompletableFuture<LockHandle> next = waiting.lock("a").acquireAsync();
            RedisServer former = sentinels.master();
            soon().until(() -> subscribers(former) == 1);
            assertThat(former.command("WAIT", "2", "5000")).isEqualTo(2L);

            RedisServer master = end(end, former);

            answered().until(held::renew);
            soon().until(() -> subscribers(master) == 1);
            assertThat(held.isHeld()).isTrue();
            assertThat(next).isNotDone();
            if (end == End.PAUSED) {
                former.resume();
            }
            held.close();
            LockHandle granted = next.get(BOUND.toSeconds(), TimeUnit.SECONDS);
            assertThat(granted.fencingToken().isNewerThan(held.fencingToken())).isTrue();
            granted.close();
        }
    }

    private static long subscribers(RedisServer server) {
        return (Long) ((List<?>) server.command("PUBSUB", "NUMSUB", CHANNEL)).get(1);
    }
}
