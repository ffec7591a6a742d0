package io.holdfast.build.modules;

import io.holdfast.build.Checkout;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The modules that are published: all but those whose pom says that they are not deployed. */
final class PublishedModules {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private PublishedModules() {}

    /** The folders of the modules with a jar, which are also the ids of their artifacts. */
    static List<String> withJars() {
        return all().stream()
                .filter(module -> !pom(module).contains("<packaging>pom</packaging>"))
                .toList();
    }

    /** All, also the ones without a jar. */
    static List<String> all() {
        String modules = Checkout.read(Checkout.root().resolve("pom.xml"))
                .split("<modules>", 2)[1]
                .split("</modules>", 2)[0];
        return MODULE.matcher(modules)
                .results()
                .map(MatchResult::group)
                .map(module -> module.replaceAll("<[^>]+>", ""))
                .filter(module -> !pom(module).contains("<maven.deploy.skip>true</maven.deploy.skip>"))
                .toList();
    }

    static String pom(String module) {
        return Checkout.read(Checkout.root().resolve(module).resolve("pom.xml"));
    }
}
