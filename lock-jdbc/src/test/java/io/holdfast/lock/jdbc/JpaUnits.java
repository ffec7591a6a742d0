package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The persistence units that tests share: opening one takes a second, so each database has two that last until the end.
 */
final class JpaUnits {

    private static final int POOL_SIZE = 40;
    private static final Map<String, List<EntityManagerFactory>> SHARED = new ConcurrentHashMap<>();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private JpaUnits() {}

    /** The databases that JPA is tested with. */
    static Stream<String> urls() {
        return Stream.of(Databases.SharedPostgreSql.URL, Databases.SharedH2.URL);
    }

    /** Each of them with both strategies. */
    static Stream<Arguments> all() {
        return urls().flatMap(url -> Stream.of(Strategy.values()).map(strategy -> Arguments.of(url, strategy)));
    }

    /** One of the two, alternating, so that clients do not all share one. */
    static EntityManagerFactory factory(String url) {
        List<EntityManagerFactory> both = SHARED.computeIfAbsent(
                url, where -> List.of(opened("locks", pool(where)), opened("locks", pool(where))));
        return both.get(Math.floorMod(NEXT.incrementAndGet(), both.size()));
    }

    static EntityManagerFactory opened(String unit, DataSource source) {
        return Persistence.createEntityManagerFactory(unit, Map.of("jakarta.persistence.nonJtaDataSource", source));
    }

    static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.setMinimumIdle(0);
        pool.setThreadFactory(JpaUnits::applicationThread);
        return pool;
    }

    /** Outside the thread group of the caller: the kit counts the threads that a provider starts. */
    private static Thread applicationThread(Runnable task) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread thread = new Thread(group, task, "application-pool");
        thread.setDaemon(true);
        return thread;
    }

    static JpaLockProvider at(String url, Strategy strategy) {
        return JpaLockProvider.over(factory(url)).strategy(strategy).build();
    }

    static JpaLockProvider over(DataSource source, Strategy strategy) {
        return JpaLockProvider.over(opened("locks", source)).strategy(strategy).build();
    }

    /** The URI for {@link LockClient#connect}. */
    static String uri(String url, Strategy strategy) {
        return "jpa:locks?strategy=" + strategy.name().toLowerCase(Locale.ROOT) + "&jakarta.persistence.jdbc.url="
                + URLEncoder.encode(url, StandardCharsets.UTF_8);
    }
}
