package io.holdfast.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What runs here, as far as the JVM knows. */
final class Versions {

    private Versions() {}

    /** The version of an artifact, from the name of its jar. */
    static String onClassPath(String artifact) {
        Pattern name = Pattern.compile(Pattern.quote(artifact) + "-([0-9].*)\\.jar");
        for (String entry : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator), -1)) {
            Matcher jar = name.matcher(String.valueOf(Path.of(entry).getFileName()));
            if (jar.matches()) {
                return jar.group(1);
            }
        }
        return "of an unknown version";
    }
}
