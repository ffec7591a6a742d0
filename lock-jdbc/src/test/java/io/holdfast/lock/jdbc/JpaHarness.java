package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.parts.JarVersion;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;

/**
 * A database that is reached by JPA, for the kit.
 *
 * @param database the same by JDBC
 * @param strategy how concurrent attempts exclude each other
 * @param lease longer where another JVM takes part, which opens a persistence unit first
 * @param closings close what was opened for this test, in this order
 */
record JpaHarness(JdbcHarness database, Strategy strategy, Duration lease, List<Runnable> closings)
        implements LockHarness {

    JpaHarness(JdbcHarness database, Strategy strategy, Duration lease) {
        this(database, strategy, lease, new CopyOnWriteArrayList<>());
    }

    @Override
    public LockProvider open() {
        String url = database.gatedUrl();
        return url.equals(database.url()) ? JpaUnits.at(url, strategy) : behindGate(url);
    }

    /** The shared units lead straight to the server. */
    private LockProvider behindGate(String url) {
        HikariDataSource pool = JpaUnits.pool(url);
        EntityManagerFactory factory = JpaUnits.opened("locks", pool);
        // Not before the unit is open: without a connection that fails, and a busy machine may need longer for one.
        pool.setConnectionTimeout(Duration.ofSeconds(2).toMillis());
        closings.add(factory::close);
        closings.add(pool::close);
        return JpaLockProvider.over(factory).strategy(strategy).build();
    }

    /** Two faults: a new persistence unit asks its database more than a network with faults lets through. JDBC has all faults. */
    @Override
    public Faults faults() {
        Faults all = database.faults();
        return new Faults() {
            @Override
            public Optional<String> absence(String fault) {
                return all.absence(fault)
                        .or(() ->
                                Optional.of("the way of JPA to the database has two faults alone; the same database by"
                                        + " JDBC has more"));
            }

            @Override
            public Optional<Fault> outage() {
                return all.outage();
            }

            @Override
            public List<Fault> errorReplies() {
                return all.errorReplies();
            }
        };
    }

    @Override
    public List<String> versions() {
        return Stream.concat(
                        database.versions().stream(), Stream.of("Hibernate ORM " + JarVersion.of(SessionFactory.class)))
                .toList();
    }

    @Override
    public void close() {
        closings.forEach(Runnable::run);
        database.close();
    }

    @Override
    public Optional<String> uri() {
        return database.otherJvms() ? Optional.of(JpaUnits.uri(database.url(), strategy)) : Optional.empty();
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return database.remover();
    }
}
