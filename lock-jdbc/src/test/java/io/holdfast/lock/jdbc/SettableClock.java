package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A clock of PostgreSQL that a test sets, in a database of its own: a function of the same name in an earlier schema stands for
 * the server's, so that it ends leases, too.
 */
final class SettableClock {

    private @Nullable String url;

    /** The database with the clock, which is made when it is first asked for. */
    synchronized String url() {
        String made = url;
        if (made == null) {
            String database = Databases.newPostgreSql();
            Databases.run(
                    database,
                    "CREATE TABLE clock (step interval)",
                    "INSERT INTO clock VALUES ('0 seconds')",
                    "CREATE FUNCTION clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql"
                            + " AS 'SELECT pg_catalog.clock_timestamp() + step FROM public.clock'");
            made = database + "&currentSchema=public,pg_catalog";
            url = made;
        }
        return made;
    }

    /** The database, if somebody has asked for it. */
    synchronized Optional<String> urlInUse() {
        return Optional.ofNullable(url);
    }

    /** Sets the clock that much before the server's. */
    void set(Duration before) {
        Databases.run(url(), "UPDATE clock SET step = '" + before.toMillis() + " milliseconds'");
    }

    /** A step, for providers that are opened from now on. */
    Fault step(Duration by) {
        url();
        return new Fault(() -> set(by), () -> set(Duration.ZERO));
    }
}
