package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.parts.JarVersion;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of a database, of its driver and of the pool, for the report of the kit. */
final class DatabaseVersions {

    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)*");

    private DatabaseVersions() {}

    static List<String> at(String url) {
        try (Connection connection = Databases.connect(url)) {
            DatabaseMetaData about = connection.getMetaData();
            return List.of(
                    server(about),
                    about.getDriverName() + " "
                            + JarVersion.of(DriverManager.getDriver(url).getClass()),
                    "HikariCP " + JarVersion.of(HikariDataSource.class));
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /** MySQL's driver calls every server MySQL. */
    private static String server(DatabaseMetaData about) throws SQLException {
        String version = about.getDatabaseProductVersion();
        String name = version.contains("MariaDB") ? "MariaDB" : about.getDatabaseProductName();
        Matcher number = NUMBER.matcher(version);
        return name + " " + (number.find() ? number.group() : version);
    }
}
