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
 * What a {@link DataSource} does not offer of a pool: its size, its use, and dropping lost connections, for the pools
 * that we know.
 *
 * @param source the pool, or what wraps one
 */
public record Pooled(DataSource source) {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /**
     * The most connections that one call tries. After a cut all connections of a pool may be lost, and it lends those untested
     * that it used or opened a moment ago; most pools have fewer.
     */
    public static final int MOST_TRIED = 100;

    /** The names by which DBCP, Tomcat and Druid, c3p0, Vibur, and H2 tell their maximum size. */
    private static final List<String> GETTERS =
            List.of("getMaxTotal", "getMaxActive", "getMaxPoolSize", "getPoolMaxSize", "getMaxConnections");

    /**
     * The maximum size of the pool.
     *
     * @return the number; empty if it is not a pool that we know
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
     * The present use of the connections.
     *
     * @return the numbers, in brackets; empty if unknown
     */
    public String inUse() {
        Optional<HikariPoolMXBean> pool = hikari().map(HikariDataSource::getHikariPoolMXBean);
        return pool.map(now -> " (active=" + now.getActiveConnections() + ", idle=" + now.getIdleConnections()
                        + ", waiting=" + now.getThreadsAwaitingConnection() + ")")
                .orElse("");
    }

    /**
     * Makes the pool drop a lost connection, which it might take for a working one and lend again. A wrapper of a pool
     * is not asked: it may choose another pool on each call, which would not know the connection.
     *
     * @param lost the connection
     * @return whether it did; otherwise the connection has to be closed
     */
    public boolean evict(Connection lost) {
        if (source instanceof HikariDataSource hikari && lost instanceof ProxyConnection) {
            hikari.evictConnection(lost);
            return true;
        }
        return false;
    }

    /**
     * Evicts a connection that the driver has closed, as it does when it finds it lost, before its user gives it back.
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
            LOG.log(Level.DEBUG, "A connection could not be checked for being lost", unable);
        }
    }

    private Optional<HikariDataSource> hikari() {
        try {
            return source.isWrapperFor(HikariDataSource.class)
                    ? Optional.of(source.unwrap(HikariDataSource.class))
                    : Optional.empty();
        } catch (SQLException | RuntimeException unable) {
            // Some data sources lack these methods and throw anything.
            return Optional.empty();
        }
    }
}
