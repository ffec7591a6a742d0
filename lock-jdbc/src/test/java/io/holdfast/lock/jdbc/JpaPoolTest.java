package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.parts.PoolWarnings;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Waits;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pool of a persistence unit, which the application uses as well. */
@Tag("full")
class JpaPoolTest {

    private static final int SIZE = 3;

    private final String name = "name-" + UUID.randomUUID();

    private static HikariDataSource poolOf(int size, String url) {
        HikariDataSource pool = JpaUnits.pool(url);
        pool.setMaximumPoolSize(size);
        return pool;
    }

    private static List<String> warnings(int size) {
        return PoolWarnings.of(() -> {
            try (HikariDataSource pool = poolOf(size, Databases.SharedPostgreSql.URL);
                    EntityManagerFactory factory = JpaUnits.opened("locks", pool)) {
                JpaLockProvider.over(factory).build().close();
            }
        });
    }

    @Test
    void tooSmallPoolIsWarnedOf() {
        assertThat(warnings(1)).singleElement().asString().contains("has at most 1 connections, and locks need 2");
    }

    @Test
    void largeEnoughPoolIsNotWarnedOf() {
        assertThat(warnings(2)).isEmpty();
    }

    /** The pool itself would wait for 30 s. */
    @Proves("3.4")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void renewalThatWaitsForThePoolIsReported(String url) throws Exception {
        CompletableFuture<LockException> failed = new CompletableFuture<>();
        CompletableFuture<LockEvent> renewedAfterwards = new CompletableFuture<>();
        LockListener listener = new LockListener() {
            @Override
            public void renewalFailed(LockEvent event, LockException reason) {
                failed.complete(reason);
            }

            @Override
            public void renewed(LockEvent event) {
                if (failed.isDone()) {
                    renewedAfterwards.complete(event);
                }
            }
        };
        try (HikariDataSource pool = poolOf(SIZE, url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                LockClient client = LockClient.builder(
                                JpaLockProvider.over(factory).build())
                        .listener(listener)
                        .build();
                LockHandle held = client.lock(name, LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(12)))
                        .acquire()) {
            List<Connection> taken = new ArrayList<>();
            for (int each = 0; each < SIZE; each++) {
                taken.add(pool.getConnection());
            }
            Waits.soon().until(failed::isDone);
            assertThat(held.isHeld()).isTrue();
            for (Connection each : taken) {
                each.close();
            }
            Waits.soon().until(renewedAfterwards::isDone);
            assertThat(held.isHeld()).isTrue();
        }
    }
}
