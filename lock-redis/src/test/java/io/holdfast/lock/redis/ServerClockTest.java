package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's clock is set while locks are held. */
class ServerClockTest extends ClientScene {

    private static final Duration STEP = Duration.ofSeconds(20);

    /** Long enough that no renewal comes before the step is noticed. */
    private static final String LEASE = "&lease=30s";

    private static final LockOptions SHORT = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(15));

    @ParameterizedTest
    @ValueSource(strings = {"layout=hash", "layout=string"})
    @Proves({"8.1", "8.6"})
    void grantOfAnyLockShowsThatTheOthersAreLost(String layout) throws Exception {
        ShiftedTime time = new ShiftedTime(proxy);
        try (LockClient client = connect(layout + LEASE)) {
            LockHandle handle = client.lock("stock", SHORT).acquire();
            time.step(STEP);
            LockHandle other = client.lock("other").acquire();

            assertThat(handle.isHeld()).isFalse();
            assertThat(handle.lost().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(LossCause.CLOCK_STEPPED);
            assertThat(other.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"layout=hash", "layout=string"})
    void renewalOfAnyLockShowsIt(String layout) throws Exception {
        ShiftedTime time = new ShiftedTime(proxy);
        try (LockClient client = connect(layout + LEASE)) {
            LockHandle handle = client.lock("stock", SHORT).acquire();
            LockHandle other = client.lock("other").acquire();
            time.step(STEP);
            assertThat(other.renew()).isTrue();

            assertThat(handle.lost().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(LossCause.CLOCK_STEPPED);
            assertThat(other.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"layout=hash", "layout=string"})
    void shorterStepRenewsTheOthersAtOnce(String layout) throws Exception {
        ShiftedTime time = new ShiftedTime(proxy);
        Queue<String> renewed = new ConcurrentLinkedQueue<>();
        LockListener listener = new LockListener() {
            @Override
            public void renewed(LockEvent event) {
                renewed.add(event.lockName());
            }
        };
        try (LockClient client = LockClient.builder("redis://127.0.0.1:" + proxy.port() + "?" + layout + LEASE)
                .listener(listener)
                .build()) {
            LockHandle handle = client.lock("stock").acquire();
            time.step(Duration.ofSeconds(15));
            client.lock("other").acquire();

            // Its next renewal would come after ten seconds.
            await().atMost(Duration.ofSeconds(5)).until(() -> renewed.contains("stock"));
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"layout=hash", "layout=string"})
    void stepBackLosesNothing(String layout) throws Exception {
        ShiftedTime time = new ShiftedTime(proxy);
        try (LockClient client = connect(layout + LEASE)) {
            LockHandle handle = client.lock("stock").acquire();
            time.step(STEP.negated());
            client.lock("other").acquire();

            assertThat(handle.isHeld()).isTrue();
            assertThat(handle.renew()).isTrue();
        }
    }
}
