package io.holdfast.lock.tck.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Where the reports of a run go. */
public final class Reports {

    private static final Map<Class<?>, Consumer<Report>> READERS = new ConcurrentHashMap<>();

    private Reports() {}

    /**
     * Passes on the reports of a class when its tests have all ended. For the command, which runs the kit in its own JVM.
     *
     * @param tests the class
     * @param reader hears of each run
     */
    public static void passOn(Class<?> tests, Consumer<Report> reader) {
        READERS.put(tests, reader);
    }

    /**
     * Publishes the report of a class.
     *
     * @param tests the class
     * @param report of its tests
     */
    public static void publish(Class<?> tests, Report report) {
        READERS.getOrDefault(tests, unread -> {}).accept(report);
    }

    /**
     * Writes a report as a page and as XML.
     *
     * @param report of a run
     * @param directory is created if need be
     * @param name of the two files, without an ending
     * @return the page
     */
    public static Path write(Report report, Path directory, String name) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("TEST-" + name + ".xml"), JUnitXml.of(report));
            return Files.writeString(directory.resolve(name + ".html"), HtmlPage.of(report));
        } catch (IOException failed) {
            throw new UncheckedIOException("The report cannot be written to " + directory, failed);
        }
    }
}
