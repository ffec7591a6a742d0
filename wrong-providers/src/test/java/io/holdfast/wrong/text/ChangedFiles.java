package io.holdfast.wrong.text;

/** The files whose text the wrong providers change, by their names on the class path. */
final class ChangedFiles {

    static final String JDBC_SCRIPTS = "io/holdfast/lock/jdbc/";
    static final String REDIS_SCRIPTS = "io/holdfast/lock/redis/";

    static final String H2_DIALECT = "io/holdfast/lock/jdbc/table/H2Dialect.class";
    static final String H2_SCRIPT = JDBC_SCRIPTS + "holdfast-h2.sql";

    static final String MARIADB_DIALECT = "io/holdfast/lock/jdbc/table/MariaDbDialect.class";
    static final String MARIADB_SCRIPT = JDBC_SCRIPTS + "holdfast-mariadb.sql";

    static final String POSTGRESQL_DIALECT = "io/holdfast/lock/jdbc/table/PostgreSqlDialect.class";
    static final String POSTGRESQL_SCRIPT = JDBC_SCRIPTS + "holdfast-postgresql.sql";

    private ChangedFiles() {}
}
