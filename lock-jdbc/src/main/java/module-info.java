/**
 * The backend of SQL databases, on JDBC and on JPA.
 */
@SuppressWarnings("requires-automatic") // The PostgreSQL driver and Hibernate have no module descriptors.
module io.holdfast.lock.jdbc {
    requires transitive io.holdfast.lock;
    requires transitive java.sql;
    requires static transitive org.jspecify;
    requires com.zaxxer.hikari;
    requires static transitive jakarta.persistence;
    requires static org.hibernate.orm.core;
    requires static org.postgresql.jdbc;
    requires static org.checkerframework.checker.qual;

    exports io.holdfast.lock.jdbc;
    exports io.holdfast.lock.jdbc.jpa;

    // The persistence provider creates entities and reads their fields.
    opens io.holdfast.lock.jdbc.jpa;
    // A persistence unit may name the shipped scripts: resources of a package that is not open
    // cannot be read from outside.
    opens io.holdfast.lock.jdbc;

    provides io.holdfast.lock.spi.LockProviderFactory with
            io.holdfast.lock.jdbc.JdbcLockProviderFactory,
            io.holdfast.lock.jdbc.jpa.JpaLockProviderFactory;
}
