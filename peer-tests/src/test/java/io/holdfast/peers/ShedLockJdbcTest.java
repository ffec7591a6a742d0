package io.holdfast.peers;

import io.holdfast.examples.ShedLockReport;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock's table around a lock of ours, through the executor that its annotation uses. */
class ShedLockJdbcTest extends NestedLockScene {

    @Override
    String table() {
        return "CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL,"
                + " locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL)";
    }

    /** Runs what the annotated method does under the lock of the annotation. */
    private Step annotated(Duration lockAtMostFor, Body body) {
        LockingTaskExecutor executor =
                new DefaultLockingTaskExecutor(new JdbcTemplateLockProvider(Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(database))
                        .usingDbTime()
                        .build()));
        return work -> {
            AtomicBoolean ran = new AtomicBoolean();
            Runnable noted = () -> {
                ran.set(true);
                work.run();
            };
            try {
                executor.executeWithLock(
                        (LockingTaskExecutor.Task) () -> body.run(noted),
                        new LockConfiguration(Instant.now(), NAME, lockAtMostFor, Duration.ZERO));
            } catch (RuntimeException | InterruptedException failed) {
                throw failed;
            } catch (Throwable failed) {
                throw new IllegalStateException(failed);
            }
            return ran.get();
        };
    }

    private interface Body {
        void run(Runnable work) throws InterruptedException;
    }

    @Override
    Step theirs(Duration lease) {
        return annotated(lease, Runnable::run);
    }

    @Override
    Step both() {
        return annotated(LONG, work -> new ShedLockReport(client, work).write());
    }
}
