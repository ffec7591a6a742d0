package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.servers.MariaDbServer;
import java.security.CodeSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lock from grant to end in each database, with each set of drivers and pool that the build runs. */
@Tag("server")
class DatabasesLineTest {

    static Stream<String> byAllDrivers() {
        return MariaDbServer.isAvailable()
                ? Stream.concat(Databases.all(), Stream.of(Databases.SharedMariaDb.BY_MYSQL_DRIVER))
                : Databases.all();
    }

    @Test
    void driversAndPoolBelongToTheLine() {
        boolean line = System.getProperty("line.version") != null;
        Stream<Class<?>> loaded = Stream.of(
                org.h2.Driver.class,
                org.postgresql.Driver.class,
                org.mariadb.jdbc.Driver.class,
                com.mysql.cj.jdbc.Driver.class,
                HikariDataSource.class);
        assertThat(loaded.map(type -> type.getProtectionDomain().getCodeSource())
                        .map(CodeSource::getLocation)
                        .map(Object::toString))
                .allMatch(path -> path.contains("/lines/boot-3.5-databases/") == line);
    }

    @ParameterizedTest
    @MethodSource("byAllDrivers")
    void providerGrantsRenewsAndReleases(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            LifeOfALock.byTheProvider(provider, url);
        }
    }

    @ParameterizedTest
    @MethodSource("byAllDrivers")
    void clientsHandOverAndLoseALock(String url) throws InterruptedException {
        LifeOfALock.byClients(() -> Databases.at(url), url);
    }
}
