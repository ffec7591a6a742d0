package io.holdfast.examples.backends;

/** Locks in PostgreSQL, whose table {@code holdfast-postgresql.sql} makes. */
public final class OnPostgreSql {

    private OnPostgreSql() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not a PostgreSQL server on this machine, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("jdbc:postgresql://localhost/postgres", args);
    }
}
