package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.StoreTime;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The time that grants and renewals tell: what the database's clock said during the call, and from which the lease counts. */
@Tag("server")
class ToldTimeTest {

    private static final Duration LEASE = Duration.ofMinutes(2);

    /** Long enough that the time of a statement before would show. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final String name = "name-" + UUID.randomUUID();
    private final List<StoreTime> told = new ArrayList<>();
    private final List<AutoCloseable> closings = new ArrayList<>();

    /** Makes a provider, and notes what is to be closed after the test. */
    private interface Opening {
        LockProvider of(String url, List<AutoCloseable> closings);
    }

    static Stream<Arguments> openings() {
        return JpaUnits.urls()
                .flatMap(url -> Stream.of(
                                Named.<Opening>of("JDBC", (database, closings) -> Databases.at(database)),
                                Named.<Opening>of("JPA", (database, closings) -> jpa(database, closings, true)),
                                Named.<Opening>of("no autocommit", (where, closings) -> jpa(where, closings, false)))
                        .map(opening -> Arguments.of(url, opening)));
    }

    private static LockProvider jpa(String url, List<AutoCloseable> closings, boolean autoCommit) {
        HikariDataSource pool = JpaUnits.pool(url);
        pool.setAutoCommit(autoCommit);
        closings.add(pool);
        return JpaUnits.over(pool, Strategy.OPTIMISTIC);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : closings) {
            each.close();
        }
    }

    private static long now(String url) {
        return micros(url, url.contains("postgresql") ? "clock_timestamp()" : "CURRENT_TIMESTAMP", "");
    }

    private static long micros(String url, String time, String from) {
        return Long.parseLong(
                Databases.ask(url, "SELECT CAST(EXTRACT(EPOCH FROM " + time + ") * 1000000 AS BIGINT)" + from));
    }

    private <T> T told(String url, Supplied<T> call, Function<T, StoreTime> reading) {
        Waits.letPass(PAUSE);
        long before = now(url);
        T answer = call.get();
        long after = now(url);
        StoreTime time = reading.apply(answer);
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, time.time());
        assertThat(micros).isBetween(before, after);
        long end = micros(
                url,
                "expires_at",
                " FROM holdfast_lock WHERE name_hash = '" + LockKey.of(name).hash() + "'");
        assertThat(end - LEASE.toNanos() / 1_000)
                .as("a lease that counts from an earlier time would end before its holder expects")
                .isBetween(micros, after);
        told.add(time);
        return answer;
    }

    /** A call. */
    private interface Supplied<T> {
        T get();
    }

    private static StoreTime of(Attempt answer) {
        return ((Attempt.Granted) answer).storeTime().orElseThrow();
    }

    private static StoreTime of(Renewal answer) {
        return ((Renewal.Held) answer).storeTime().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("openings")
    void answersTellTheTimeOfTheCall(String url, Opening opening) {
        try (LockProvider provider = opening.of(url, closings)) {
            TestClaim first = TestClaim.once(provider, name, LEASE);
            told(url, first.claim::attempt, ToldTimeTest::of);
            told(url, first.claim::attempt, ToldTimeTest::of);
            told(url, first.claim::renew, ToldTimeTest::of);

            Databases.expire(url, name, Duration.ofSeconds(1));
            TestClaim next = TestClaim.once(provider, name, LEASE);
            told(url, next.claim::attempt, ToldTimeTest::of);
            TestClaim other = TestClaim.once(provider, name + "-2", LEASE);
            assertThat(other.granted()).isTrue();
            List<Renewal> all = told(
                    url,
                    () -> provider.renewAll(List.of(other.claim, next.claim, first.claim)),
                    renewals -> of(renewals.get(1)));
            assertThat(of(all.get(0))).isEqualTo(of(all.get(1)));
            assertThat(all.get(2)).isInstanceOf(Renewal.Lost.class);

            assertThat(told)
                    .extracting(StoreTime::clock)
                    .containsOnly(told.get(0).clock());
            assertThat(next.released() && other.released()).isTrue();
        }
    }
}
