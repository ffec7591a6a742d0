/**
 * The backend of SQL databases, on JDBC.
 */
@SuppressWarnings("requires-automatic") // The PostgreSQL driver has no module descriptor.
module io.holdfast.lock.jdbc {
    requires transitive io.holdfast.lock;
    requires transitive java.sql;
    requires static transitive org.jspecify;
    requires com.zaxxer.hikari;
    requires static org.postgresql.jdbc;
    requires static org.checkerframework.checker.qual;

    exports io.holdfast.lock.jdbc;

    provides io.holdfast.lock.spi.LockProviderFactory with
            io.holdfast.lock.jdbc.JdbcLockProviderFactory;
}
