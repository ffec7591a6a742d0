package io.holdfast.peers;

import io.holdfast.examples.BothLocks;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's {@code INT_LOCK} around a lock of ours. */
class JdbcLockRegistryTest extends NestedLockScene {

    @Override
    String table() {
        return "CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),"
                + " CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL,"
                + " CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION))";
    }

    private Lock lock(Duration lease) {
        DefaultLockRepository repository = new DefaultLockRepository(database);
        repository.setTransactionManager(new DataSourceTransactionManager(database));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        return new JdbcLockRegistry(repository, lease).obtain(NAME);
    }

    @Override
    Step theirs(Duration lease) {
        Lock lock = lock(lease);
        return work -> {
            if (!lock.tryLock()) {
                return false;
            }
            try {
                work.run();
            } finally {
                unlock(lock, lease);
            }
            return true;
        };
    }

    private static void unlock(Lock lock, Duration lease) {
        try {
            lock.unlock();
        } catch (ConcurrentModificationException late) {
            if (lease.equals(LONG)) {
                throw late;
            }
        }
    }

    @Override
    Step both() {
        Lock lock = lock(LONG);
        return work -> BothLocks.tryRun(lock, client.lock(NAME), Duration.ZERO, work);
    }
}
