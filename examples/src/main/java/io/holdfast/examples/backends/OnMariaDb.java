package io.holdfast.examples.backends;

/** Locks in MariaDB, whose table {@code holdfast-mariadb.sql} makes. */
public final class OnMariaDb {

    private OnMariaDb() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not a MariaDB server on this machine, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("jdbc:mariadb://localhost/test", args);
    }
}
