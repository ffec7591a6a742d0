package io.holdfast.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where and with what a run was made, as lines of the page.
 *
 * @param usedByOthers which part of the processors others used just before the run
 * @param lines what there is to say
 */
record Machine(double usedByOthers, List<String> lines) {

    private static final double BUSY = 0.25;
    private static final long LOOK_MILLIS = 2_000;
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final List<String> LIBRARIES = List.of(
            "jedis",
            "redisson",
            "lettuce-core",
            "spring-integration-redis",
            "spring-integration-jdbc",
            "shedlock-provider-jdbc-template",
            "curator-recipes",
            "zookeeper",
            "postgresql",
            "HikariCP",
            "jmh-core");

    /**
     * Looks around, before the run.
     *
     * @param commit what is measured
     */
    static Machine here(String commit, Wish wish) throws InterruptedException {
        int processors = Runtime.getRuntime().availableProcessors();
        double busy = busy();
        String libraries = LIBRARIES.stream()
                .map(library -> library + " " + Versions.onClassPath(library))
                .collect(Collectors.joining(", "));
        return new Machine(
                busy,
                List.of(
                        "%d processors, %s, %s on %s"
                                .formatted(
                                        processors,
                                        processor(),
                                        System.getProperty("os.name"),
                                        System.getProperty("os.arch")),
                        "busy just before the run: %.0f%%".formatted(busy * 100),
                        "%s %s, heap of up to %,d MB"
                                .formatted(
                                        System.getProperty("java.vm.name"),
                                        Runtime.version(),
                                        Runtime.getRuntime().maxMemory() >> 20),
                        libraries,
                        "commit %s, on %s, %d rounds of %d ms%s"
                                .formatted(
                                        commit,
                                        LocalDate.now(ZoneOffset.UTC),
                                        wish.rounds(),
                                        wish.millis(),
                                        wish.redis()
                                                .map(file -> ", --redis " + file)
                                                .orElse(""))));
    }

    /** The same with the versions of the servers, which are known after the run. */
    Machine with(List<String> servers) {
        return new Machine(
                usedByOthers,
                Stream.concat(lines.stream(), Stream.of(String.join(", ", servers)))
                        .toList());
    }

    /** Not the load average, which still counts the build a minute ago. */
    private static double busy() throws InterruptedException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        double unusedSinceTheStart = system.getCpuLoad();
        Thread.sleep(LOOK_MILLIS);
        return Math.max(0, system.getCpuLoad());
    }

    private static String processor() {
        try {
            return Files.readAllLines(PROCESSORS).stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("of an unknown model");
        } catch (IOException noSuchFile) {
            return "of an unknown model";
        }
    }

    /** Whether others used it, so that the figures are worth little. */
    boolean wasBusy() {
        return usedByOthers > BUSY;
    }

    String list() {
        return lines.stream().map(line -> "* " + line + "\n").collect(Collectors.joining());
    }
}
