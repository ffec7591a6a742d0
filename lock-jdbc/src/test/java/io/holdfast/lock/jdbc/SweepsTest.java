package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaSweeping;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The limits of a sweep, and the log of a failed one: the release before it has succeeded. */
@Tag("server")
class SweepsTest {

    /** One more than a sweep removes. */
    private static final int ROWS = 1_001;

    /** Collects log messages. */
    private static final class Log extends Handler {
        private final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord message) {
            messages.add(message.getMessage());
        }

        @Override
        public void flush() {
            // Nothing is held back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Test
    void failedSweepIsLoggedWithPlaceAndReasonAndNoSecret() {
        String url = Databases.h2();
        Logger logger = Logger.getLogger("io.holdfast.lock.jdbc");
        Log log = new Log();
        logger.addHandler(log);
        // The database has no table, and its failure names it.
        try (JdbcLockProvider provider = Databases.at(url, "user", "me", "password", "HOLDFAST_LOCK")) {
            new Sweeper(1).afterRelease(provider.records());
        } finally {
            logger.removeHandler(log);
        }
        assertThat(log.messages.stream()
                        .filter(each -> each.contains(JdbcUrl.of(url).place())))
                .singleElement()
                .asString()
                .contains("removal of old records failed: the table is missing")
                .doesNotContain("HOLDFAST_LOCK");
    }

    private static void leaveBehind(String url) {
        Databases.run(
                url,
                IntStream.range(0, ROWS)
                        .mapToObj(i -> "('row-" + i + "', 'name', 'claim', 1, 1, 'owner', 'host', 1, 'thread',"
                                + " TIMESTAMP '2001-01-01 00:00:00', TIMESTAMP '2001-01-01 00:00:30')")
                        .collect(Collectors.joining(
                                ", ",
                                "INSERT INTO holdfast_lock (name_hash, name, claim_id, token, version, owner_id, host,"
                                        + " pid, thread, acquired_at, expires_at) VALUES ",
                                "")));
    }

    /** A release waits for the sweep, which is cancelled after a while: its deletions would be undone. */
    private static void assertRemovesAThousandAndThenTheRest(IntSupplier sweep) {
        assertThat(removed(sweep)).isEqualTo(ROWS - 1);
        assertThat(removed(sweep)).isEqualTo(1);
        assertThat(removed(sweep)).isZero();
    }

    /** One that is cancelled, as the machine stood still, is left to the next one. */
    private static int removed(IntSupplier sweep) {
        AtomicInteger rows = new AtomicInteger();
        Waits.answered().until(() -> {
            rows.set(sweep.getAsInt());
            return true;
        });
        return rows.get();
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void sweepRemovesAtMostAThousandRows(String url) {
        leaveBehind(url);
        try (JdbcLockProvider provider = Databases.at(url)) {
            assertRemovesAThousandAndThenTheRest(provider.records()::sweep);
        }
    }

    static Stream<String> newOfJpa() {
        return Stream.of(Databases.newPostgreSql(), Databases.newH2());
    }

    @ParameterizedTest
    @MethodSource("newOfJpa")
    void sweepByJpaRemovesAtMostAThousandRows(String url) {
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            // The first use of a unit may take longer than a sweep may.
            TestClaim first = TestClaim.once(provider, "first");
            assertThat(first.granted() && first.released()).isTrue();
            leaveBehind(url);
            assertRemovesAThousandAndThenTheRest(() -> JpaSweeping.sweep(provider));
        }
    }
}
