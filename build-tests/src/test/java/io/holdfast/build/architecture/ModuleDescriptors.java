package io.holdfast.build.architecture;

import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The module descriptors of the project's own jars on the class path. */
final class ModuleDescriptors {

    /**
     * The modules that cannot have a descriptor, and the packages that users see of them. ZooKeeper's own jars share packages, so
     * no module can read both.
     */
    private static final Map<String, String> WITHOUT = Map.of("lock-zookeeper", "io.holdfast.lock.zookeeper");

    private ModuleDescriptors() {}

    /** Our jars that have classes but no descriptor, and could have one. */
    static List<Path> missing() {
        return paths().filter(path -> WITHOUT.keySet().stream().noneMatch(module -> isOf(module, path)))
                .filter(path -> ModuleFinder.of(path).findAll().stream()
                        .map(ModuleReference::descriptor)
                        .anyMatch(module ->
                                module.isAutomatic() && !module.packages().isEmpty()))
                .toList();
    }

    /** By the folder that it is built in; the folders above do not matter. */
    private static boolean isOf(String module, Path built) {
        Path target = built.getParent();
        while (!target.endsWith("target")) {
            target = target.getParent();
        }
        return target.getParent().endsWith(module);
    }

    static Map<String, ModuleDescriptor> byName() {
        return paths().flatMap(path -> ModuleFinder.of(path).findAll().stream())
                .map(ModuleReference::descriptor)
                .filter(module -> module.name().startsWith("io.holdfast."))
                .filter(module -> !module.isAutomatic())
                .collect(Collectors.toMap(ModuleDescriptor::name, module -> module));
    }

    /** What everybody may use. */
    static Set<String> exportedPackages() {
        return Stream.concat(
                        byName().values().stream()
                                .flatMap(module -> module.exports().stream())
                                .filter(export -> !export.isQualified())
                                .map(ModuleDescriptor.Exports::source),
                        WITHOUT.values().stream())
                .collect(Collectors.toSet());
    }

    /** Only our own entries: a foreign jar may be no module at all. */
    private static Stream<Path> paths() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(".*[/\\\\]target[/\\\\](quick[/\\\\])?(classes|lock-[^/\\\\]*\\.jar)"))
                .map(Path::of);
    }
}
