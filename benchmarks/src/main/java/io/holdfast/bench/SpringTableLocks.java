package io.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's {@code JdbcLockRegistry}, as its manual has it for PostgreSQL. */
final class SpringTableLocks implements Locks {

    private final HikariDataSource pool;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    SpringTableLocks(String url) {
        pool = Pools.open(url);
        repository = new DefaultLockRepository(pool);
        // Otherwise each refused attempt is an error in the server's log.
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository, Duration.ofSeconds(30));
    }

    @Override
    public Section section(String name) {
        return Section.over(registry.obtain(name));
    }

    @Override
    public void close() {
        repository.stop();
        pool.close();
    }
}
