package io.holdfast.build.modules;

import io.holdfast.build.Checkout;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an application gets that has one artifact of ours. Maven writes the list when it builds the application's folder in
 * {@code consumers}, which has no parent of ours: the versions that our parent manages do not reach a user.
 *
 * @param jars in alphabetical order
 */
record RuntimeList(List<Jar> jars) {

    /** Such as {@code   org.slf4j:slf4j-api:jar:2.0.20:compile:/folder/slf4j-api-2.0.20.jar -- module org.slf4j}. */
    private static final Pattern LINE =
            Pattern.compile(" +([^:]+:[^:]+):jar((?::[^:]+)?):([^:]+):(?:compile|runtime):(/.*?)(?: -- module .*)?");

    /**
     * A jar, or the folder of classes that will be in it.
     *
     * @param name group and artifact, and its classifier if it has one
     * @param version its version
     * @param path where it is
     */
    record Jar(String name, String version, Path path) {

        String artifact() {
            return name.split(":", -1)[1];
        }

        boolean isOurs() {
            return name.startsWith("io.holdfast:");
        }

        @Override
        public String toString() {
            return isOurs() ? name : name + ":" + version;
        }
    }

    /** The list of an application: the folder of that name. */
    static RuntimeList of(String consumer) {
        Path file = Checkout.root().resolve("consumers").resolve(consumer).resolve("target/runtime-list");
        if (!Files.exists(file)) {
            throw new IllegalStateException(
                    file + " is missing: mvn process-classes -pl consumers/" + consumer + " -am");
        }
        return new RuntimeList(Checkout.read(file)
                .lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new Jar(line.group(1) + line.group(2), line.group(3), Path.of(line.group(4))))
                .toList());
    }

    RuntimeList only(Predicate<Jar> wanted) {
        return new RuntimeList(jars.stream().filter(wanted).toList());
    }

    /** As the JVM wants it. */
    String path() {
        return jars.stream().map(jar -> jar.path().toString()).collect(Collectors.joining(File.pathSeparator));
    }
}
