package io.holdfast.build.compatibility;

import io.holdfast.build.Checkout;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The table of what Spring Boot chooses for an application, as the class paths of the tested applications have it. */
final class ManagedVersions {

    private static final String HEADER =
            "| Spring Boot | Jedis | Hibernate ORM | H2 | PostgreSQL driver | MariaDB driver | HikariCP |";
    private static final List<String> JARS =
            List.of("jedis", "hibernate-core", "h2", "postgresql", "mariadb-java-client", "HikariCP");

    private ManagedVersions() {}

    /** The rows of a page. */
    static List<String> in(String page) {
        return page.lines()
                .dropWhile(line -> !line.equals(HEADER))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    /** The rows of the lines that were built just now. */
    static List<String> built(List<String> springBoots) {
        return springBoots.stream()
                .map(version -> row(version, classPath(version)))
                .toList();
    }

    /** The row of one version. */
    static String row(String springBoot, String classPath) {
        Stream<String> versions = JARS.stream().map(jar -> versionOf(jar, classPath));
        return "| " + springBoot + " | " + String.join(" | ", versions.toList()) + " |";
    }

    /** The page with other rows. */
    static String written(String page, List<String> rows) {
        return page.replace(String.join("\n", in(page)), String.join("\n", rows));
    }

    private static String versionOf(String jar, String classPath) {
        Matcher found =
                Pattern.compile("[/\\\\]" + jar + "-(\\d[^/\\\\:;]*)\\.jar").matcher(classPath);
        if (!found.find()) {
            throw new AssertionError(jar + " is not in the class path " + classPath);
        }
        return found.group(1);
    }

    private static String classPath(String springBoot) {
        String line = springBoot.replaceFirst("\\.\\d+$", "");
        Path folder = Checkout.root().resolve("spring-boot-tests/boot-" + line);
        return Checkout.read(folder.resolve("redis/target/class-path"))
                + Checkout.read(folder.resolve("jdbc/target/class-path"));
    }
}
