package io.holdfast.parts;

import java.net.URL;
import java.security.CodeSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a library, as the name of its jar in Maven's repository has it. */
public final class JarVersion {

    private static final Pattern JAR = Pattern.compile(".*?-(\\d[^/]*)\\.jar$");

    private JarVersion() {}

    /**
     * Finds the version.
     *
     * @param type a class of the library
     * @return such as {@code 8.0.2}; {@code of an unknown version} if the class is in no jar whose name has one
     */
    public static String of(Class<?> type) {
        String place = Optional.ofNullable(type.getProtectionDomain().getCodeSource())
                .map(CodeSource::getLocation)
                .map(URL::getPath)
                .orElse("");
        Matcher jar = JAR.matcher(place.substring(place.lastIndexOf('/') + 1));
        return jar.matches() ? jar.group(1) : "of an unknown version";
    }
}
