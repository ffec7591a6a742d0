package io.holdfast.lock.jdbc.table;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.pool.ProxyConnection;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * A pool beyond what a data source can do: its size, its use, and lost connections, as far as we know how to ask it.
 *
 * @param source the pool, or what wraps one
 */
public record Pooled(DataSource source) {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /** How DBCP, Tomcat and Druid, c3p0, Vibur, and H2 call the most connections. */
    private static final List<String> GETTERS =
            List.of("getMaxTotal", "getMaxActive", "getMaxPoolSize", "getPoolMaxSize", "getMaxConnections");

    /**
     * The most connections.
     *
     * @return the number; empty if it is no pool, or none that we know
     */
    public OptionalInt most() {
        Optional<HikariDataSource> hikari = hikari();
        if (hikari.isPresent()) {
            return OptionalInt.of(hikari.get().getMaximumPoolSize());
        }
        return GETTERS.stream()
                .map(this::number)
                .flatMap(Optional::stream)
                .filter(most -> most > 0)
                .mapToInt(Integer::intValue)
                .findFirst();
    }

    private Optional<Integer> number(String getter) {
        try {
            return source.getClass().getMethod(getter).invoke(source) instanceof Integer number
                    ? Optional.of(number)
                    : Optional.empty();
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException another) {
            return Optional.empty();
        }
    }

    /**
     * What the connections are doing now.
     *
     * @return that, in brackets; nothing if it is not known
     */
    public String inUse() {
        Optional<HikariPoolMXBean> pool = hikari().map(HikariDataSource::getHikariPoolMXBean);
        return pool.map(now -> " (active=" + now.getActiveConnections() + ", idle=" + now.getIdleConnections()
                        + ", waiting=" + now.getThreadsAwaitingConnection() + ")")
                .orElse("");
    }

    /**
     * Has the pool drop a lost connection, which it may take for sound and lend again. What wraps a pool is not asked for it: it may
     * choose another pool on each call, which would not know the connection.
     *
     * @param lost the connection
     * @return whether it did; else the connection has to be closed as any other
     */
    public boolean evict(Connection lost) {
        if (source instanceof HikariDataSource hikari && lost instanceof ProxyConnection) {
            hikari.evictConnection(lost);
            return true;
        }
        return false;
    }

    /**
     * The same if the driver has closed the connection, as it does when it finds it lost, and its user has not given it back yet.
     *
     * @param used the connection
     */
    public void evictIfLost(Connection used) {
        try {
            if (used instanceof ProxyConnection
                    && !used.isClosed()
                    && used.unwrap(Connection.class).isClosed()) {
                evict(used);
            }
        } catch (SQLException unable) {
            LOG.log(Level.DEBUG, "A connection could not be asked whether it is lost", unable);
        }
    }

    private Optional<HikariDataSource> hikari() {
        try {
            return source.isWrapperFor(HikariDataSource.class)
                    ? Optional.of(source.unwrap(HikariDataSource.class))
                    : Optional.empty();
        } catch (SQLException | RuntimeException unable) {
            // Data sources that are handmade or proxies often lack these methods, and throw what they like.
            return Optional.empty();
        }
    }
}
