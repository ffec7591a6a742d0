package io.holdfast.bench;

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
 * @param load how many threads were busy before the run, in parts of the processors
 * @param lines what there is to say
 */
record Machine(double load, List<String> lines) {

    private static final double BUSY = 0.25;
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
    static Machine here(String commit, Wish wish) {
        int processors = Runtime.getRuntime().availableProcessors();
        double busy = Math.max(0, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        String libraries = LIBRARIES.stream()
                .map(library -> library + " " + Versions.onClassPath(library))
                .collect(Collectors.joining(", "));
        return new Machine(
                busy / processors,
                List.of(
                        "%d processors, %s, %s on %s"
                                .formatted(
                                        processors,
                                        processor(),
                                        System.getProperty("os.name"),
                                        System.getProperty("os.arch")),
                        "load before the run: %.1f".formatted(busy),
                        "%s %s, heap of up to %,d MB"
                                .formatted(
                                        System.getProperty("java.vm.name"),
                                        Runtime.version(),
                                        Runtime.getRuntime().maxMemory() >> 20),
                        libraries,
                        "commit %s, on %s, %d rounds of %d ms"
                                .formatted(commit, LocalDate.now(ZoneOffset.UTC), wish.rounds(), wish.millis())));
    }

    /** The same with the versions of the servers, which are known after the run. */
    Machine with(List<String> servers) {
        return new Machine(
                load,
                Stream.concat(lines.stream(), Stream.of(String.join(", ", servers)))
                        .toList());
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
        return load > BUSY;
    }

    String list() {
        return lines.stream().map(line -> "* " + line + "\n").collect(Collectors.joining());
    }
}
