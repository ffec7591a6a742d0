package io.holdfast.examples.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.examples.demo.DemoStores;
import io.holdfast.examples.fencing.PausedWriter.Way;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.jdbc.TableFence;
import io.holdfast.lock.tck.faults.ChildJvm;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A holder is stopped past its lease, the next one reads and writes, the first wakes up and writes. Each guard refuses it, with
 * the tokens of each store; that of ownership where locks and data are in one database. Without a guard the same write is
 * accepted, and the later holder's is gone.
 */
@Tag("server")
@Isolated
class PausedHolderTest {
    static final int LATE = 99;

    private static final int FIRST = 100;
    private static final int NEXT = 50;
    private static final Duration BOUND = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(strings = "redis")
    void lateWriteIsRefused(String backend) throws Exception {
        play(backend);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis-string",
                "redis-sentinel",
                "redis-cluster",
                "redlock",
                "redisson",
                "zookeeper",
                "jdbc-h2",
                "jdbc-postgresql",
                "jdbc-mariadb",
                "jpa"
            })
    void lateWriteIsRefusedWithEveryOtherStore(String backend) throws Exception {
        play(backend);
    }

    private static void play(String backend) throws Exception {
        try (DemoStores.Running locks = DemoStores.start(backend);
                DemoStores.Running redis = DemoStores.start("redis")) {
            Optional<String> database = databaseOf(locks.uri());
            if (database.isPresent()) {
                play(locks.uri(), database.get(), redis.uri(), EnumSet.allOf(Way.class));
            } else {
                try (DemoStores.Running other = DemoStores.start("jdbc-h2")) {
                    play(locks.uri(), other.uri(), redis.uri(), EnumSet.complementOf(EnumSet.of(Way.OWNERSHIP)));
                }
            }
        }
    }

    /** The JDBC URL of the database that has the locks, if they are in one. */
    private static Optional<String> databaseOf(String lockUri) {
        if (lockUri.startsWith("jdbc:")) {
            return Optional.of(lockUri);
        }
        return Pattern.compile("[?&]jakarta\\.persistence\\.jdbc\\.url=([^&]+)")
                .matcher(lockUri)
                .results()
                .map(url -> URLDecoder.decode(url.group(1), StandardCharsets.UTF_8))
                .findFirst();
    }

    private static void play(String lockUri, String stockUrl, String redisUri, Set<Way> ways) throws Exception {
        String redis = redisUri.replaceFirst("[?].*", "");
        createStock(stockUrl);
        List<String> arguments = new ArrayList<>(List.of(lockUri, stockUrl, redis));
        ways.forEach(way -> arguments.add(way.name()));
        try (ChildJvm first = ChildJvm.start(PausedWriter.class, arguments.toArray(String[]::new));
                LockClient client = LockClient.connect(lockUri);
                Resources at = Resources.open(stockUrl, redis)) {
            at.redis().set(Way.REDIS_FENCE.name(), Integer.toString(FIRST));
            first.awaitLine(PausedWriter.READY, BOUND);
            first.send("take");
            first.awaitLine(PausedWriter.HOLDS, BOUND);
            first.pause();

            // With the usual lease: this process holds the lock to the end, also if it is slow.
            LockHandle next = client.lock(PausedWriter.LOCK).tryAcquire(BOUND).orElseThrow();
            for (Way way : ways) {
                assertThat(way.read(at, next.namedToken())).isEqualTo(FIRST);
                way.write(at, next.namedToken(), NEXT);
            }
            first.resume();
            first.send("write");
            first.awaitLine(PausedWriter.DONE, BOUND);

            for (Way way : ways) {
                boolean guarded = way != Way.WITHOUT_GUARD;
                assertThat(first.lines()).contains((guarded ? PausedWriter.REFUSED : PausedWriter.ACCEPTED) + way);
                assertThat(way.units(at)).as("%s", way).isEqualTo(guarded ? NEXT : LATE);
            }
            assertThat(next.isHeld()).isTrue();
            assertThat(next.release()).isTrue();
        }
    }

    private static void createStock(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            TableFence.table("holdfast_fence").create(connection);
            statement.execute("CREATE TABLE stock (item VARCHAR(50) PRIMARY KEY, units INT NOT NULL,"
                    + " fence BIGINT DEFAULT 0 NOT NULL)");
            for (Way way : Way.values()) {
                statement.execute("INSERT INTO stock (item, units) VALUES ('" + way + "', " + FIRST + ")");
            }
            statement.execute("CREATE TABLE stock_entity (item VARCHAR(50) PRIMARY KEY, units INT NOT NULL,"
                    + " fence_epoch INT DEFAULT 0 NOT NULL, fence_token BIGINT DEFAULT 0 NOT NULL)");
            statement.execute(
                    "INSERT INTO stock_entity (item, units) VALUES ('" + Way.ENTITY_GUARD + "', " + FIRST + ")");
        }
    }
}
