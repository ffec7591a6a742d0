package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.parts.RedisServerScene;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/** A given client whose connections the application has all taken, so that none is left for a renewal. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class DrainedPoolTest extends RedisServerScene {

    private static final int CONNECTIONS = 4;

    /** Long enough that a third of it is left when the renewal is late. */
    private static final LockOptions BRIEF = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(9));

    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger renewals = new AtomicInteger();

    /** A client whose calls wait so long for a connection; without end if it is negative, which is Jedis' default. */
    private RedisClient jedis(long waitMillis) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxWait(Duration.ofMillis(waitMillis));
        return RedisClient.builder()
                .hostAndPort(server.host(), server.port())
                .poolConfig(pool)
                .build();
    }

    private LockClient over(RedisClient jedis) {
        return LockClient.builder(RedisLockProvider.over(jedis).build())
                .listener(new LockListener() {
                    @Override
                    public void renewalFailed(LockEvent event, LockException failure) {
                        failures.add(failure.getMessage());
                    }

                    @Override
                    public void renewed(LockEvent event) {
                        renewals.incrementAndGet();
                    }
                })
                .build();
    }

    private static List<Connection> drain(RedisClient jedis) {
        return Stream.generate(() -> jedis.getPool().getResource())
                .limit(CONNECTIONS)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | no connection was free: the given client's pool has 4",
                "-1  | the store is slow, or the call waits for a connection"
            })
    void renewalWithoutAConnectionIsReportedAndRepeated(long waitMillis, String reason) throws InterruptedException {
        try (RedisClient jedis = jedis(waitMillis);
                LockClient client = over(jedis)) {
            LockHandle held = client.lock("a", BRIEF).acquire();
            List<Connection> taken = drain(jedis);
            int before = renewals.get();

            soon().until(() -> !failures.isEmpty());
            assertThat(failures).allMatch(message -> message.contains(reason));
            assertThat(renewals).hasValue(before);
            assertThat(held.isHeld()).isTrue();
            taken.get(0).close();

            soon().until(() -> renewals.get() > before);
            assertThat(held.isHeld()).isTrue();
            assertThat(server.command("PTTL", "holdfast:a")).asInstanceOf(LONG).isGreaterThan(6_000);
            taken.subList(1, CONNECTIONS).forEach(Connection::close);
            assertThat(held.release()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {200, -1})
    void poolDrainedPastTheLeaseLosesTheLockAndLeavesItToOthers(long waitMillis) throws Exception {
        LockOptions briefer = BRIEF.withLeaseTime(Duration.ofSeconds(3));
        try (RedisClient jedis = jedis(waitMillis);
                LockClient client = over(jedis)) {
            LockHandle held = client.lock("a", briefer).acquire();
            List<Connection> taken = drain(jedis);

            assertThat(held.lost().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isEqualTo(LossCause.STORE_LOST);
            soon().until(() -> !failures.isEmpty());
            taken.forEach(Connection::close);

            soon().until(() -> client.lock("a", briefer).tryAcquire().isPresent());
        }
    }
}
