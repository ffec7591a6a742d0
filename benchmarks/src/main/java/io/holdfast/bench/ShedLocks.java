package io.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider.Configuration;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock in a table, which cannot wait: for locks that are free. */
final class ShedLocks implements Locks {

    private final HikariDataSource pool;
    private final JdbcTemplateLockProvider provider;

    ShedLocks(String url) {
        pool = Pools.open(url);
        provider = new JdbcTemplateLockProvider(Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
    }

    @Override
    public Section section(String name) {
        return new Section() {
            private @Nullable SimpleLock held;

            @Override
            public OptionalLong enter() {
                held = provider.lock(new LockConfiguration(Instant.now(), name, Duration.ofSeconds(30), Duration.ZERO))
                        .orElseThrow();
                return OptionalLong.empty();
            }

            @Override
            public void leave() {
                Objects.requireNonNull(held).unlock();
            }
        };
    }

    @Override
    public void close() {
        pool.close();
    }
}
