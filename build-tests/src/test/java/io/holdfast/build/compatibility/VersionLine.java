package io.holdfast.build.compatibility;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One version of something that the build tests Holdfast with.
 *
 * @param name what it is, as the page calls it
 * @param version its version
 * @param tests which tests are run with it
 * @param reports the folder of their reports
 * @param prefix how the names of the test classes begin, where the folder also has the reports of others
 */
record VersionLine(String name, String version, Tests tests, Path reports, String prefix) {

    private static final String SPRING_BOOT = "Spring Boot";

    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("jedis", "Jedis"),
            Map.entry("redisson", "Redisson"),
            Map.entry("curator", "Curator"),
            Map.entry("zookeeper", "ZooKeeper client"),
            Map.entry("hibernate", "Hibernate ORM"),
            Map.entry("h2", "H2"),
            Map.entry("postgresql", "PostgreSQL driver"),
            Map.entry("mariadb-client", "MariaDB driver"),
            Map.entry("mysql-connector", "MySQL driver"),
            Map.entry("hikari", "HikariCP"),
            Map.entry("boot", "H2, PostgreSQL, MariaDB and MySQL drivers and HikariCP of Spring Boot"),
            Map.entry("spring-boot", SPRING_BOOT));

    /** Which tests a version goes through. */
    enum Tests {
        /** Every test of the backend. */
        ALL,
        /** A core of them: granting, contention, release, renewal, waiting and loss. */
        CORE,
        /** That the version is refused by an error that names those which work. */
        REFUSAL,
        /** An application that runs the README's first lines. */
        FIRST_LINES,
        /** The kit, against a server in a container. */
        KIT;

        static Tests ofOtherVersions(String name) {
            return name.equals(SPRING_BOOT) ? FIRST_LINES : CORE;
        }

        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** What the page calls a library that poms name by a short word. */
    static String nameOf(String library) {
        return Optional.ofNullable(NAMES.get(library))
                .orElseThrow(() -> new AssertionError("The page has no name for the library " + library));
    }

    /** What names the line in the page. */
    String key() {
        return "| " + name + " | " + version + " | " + tests.words() + " |";
    }
}
