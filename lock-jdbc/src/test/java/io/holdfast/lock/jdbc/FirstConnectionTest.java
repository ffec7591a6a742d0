package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The connection that is opened beside the pool, in a JVM that lacks threads or classes. */
class FirstConnectionTest {

    private static final String URL = "jdbc:h2:mem:first";

    private static final Duration LONG = Duration.ofMinutes(1);

    private final AtomicInteger opened = new AtomicInteger();

    private FirstConnection on(Executor threads) {
        return new FirstConnection(
                () -> {
                    opened.incrementAndGet();
                    return DriverManager.getConnection(URL);
                },
                LONG,
                threads);
    }

    @Test
    void failedThreadStartFailsThatCallOnly() throws SQLException {
        AtomicInteger asked = new AtomicInteger();
        FirstConnection first = on(task -> {
            if (asked.incrementAndGet() == 1) {
                throw new InternalError("no room for a thread, says the test");
            }
            task.run();
        });

        assertThatThrownBy(first::require).isInstanceOf(InternalError.class);
        first.require();
        first.require();

        assertThat(opened)
                .as("nothing more is opened once there was a connection")
                .hasValue(1);
    }

    @Test
    void driverErrorReachesTheCallersAndIsRetriedByTheNext() throws SQLException {
        AtomicInteger asked = new AtomicInteger();
        FirstConnection first = new FirstConnection(
                () -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new NoClassDefFoundError("says the test");
                    }
                    return DriverManager.getConnection(URL);
                },
                LONG,
                Runnable::run);

        assertThatThrownBy(first::require).isInstanceOf(NoClassDefFoundError.class);
        first.require();

        assertThat(asked).hasValue(2);
    }
}
