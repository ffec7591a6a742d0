package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import jakarta.persistence.EntityManagerFactory;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/** A unit whose statements are recorded. Not {@link AutoCloseable}: JUnit closes an argument that is, after its first test. */
record RecordedUnit(String url, HikariDataSource pool, RecordingDataSource source, EntityManagerFactory factory) {

    static RecordedUnit open(String url) {
        HikariDataSource pool = JpaUnits.pool(url);
        RecordingDataSource source = new RecordingDataSource(pool);
        return new RecordedUnit(url, pool, source, JpaUnits.opened("locks", source.dataSource()));
    }

    JpaLockProvider provider(Strategy strategy) {
        return JpaLockProvider.over(factory).strategy(strategy).build();
    }

    String renewing() {
        return url.contains("postgresql") ? "clock_timestamp()" : "merge into holdfast_lock";
    }

    /** Runs an action before the next statement that contains a text. */
    void once(String words, Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        source.beforeEach(statement -> {
            if (statement.toLowerCase(Locale.ROOT).contains(words) && done.compareAndSet(false, true)) {
                action.run();
            }
        });
    }

    void close() {
        factory.close();
        pool.close();
    }

    @Override
    public String toString() {
        return url;
    }
}
