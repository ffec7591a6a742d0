package io.holdfast.build.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Rules that the byte code does not show: it has a catch of everything in each try with resources, and no trace of a test that
 * is switched off.
 */
final class SourceRules {

    private static final Map<String, Pattern> IN_MAIN = Map.of(
            "catches Throwable", Pattern.compile("catch\\s*\\([^)]*\\bThrowable\\b"),
            "leaves a note of work to do", Pattern.compile("//.*\\b(TODO|FIXME|XXX)\\b"));

    private static final Map<String, Pattern> IN_TESTS = Map.of(
            "switches a test off", Pattern.compile("@Disabled\\b"),
            "sleeps", Pattern.compile("Thread\\.sleep\\("));

    /** It runs callbacks of the application: an exception of one must not stop the others. */
    private static final String RUNS_CALLBACKS = "EventDispatcher.java";

    private SourceRules() {}

    static List<String> problemsInMain(String file, String text) {
        List<String> problems = problems(IN_MAIN, file, text);
        if (file.endsWith(RUNS_CALLBACKS)) {
            problems.remove(file + " catches Throwable");
        }
        return problems;
    }

    static List<String> problemsInTests(String file, String text) {
        return problems(IN_TESTS, file, text);
    }

    /**
     * Top-level types whose simple name stands in several modules: an error message or a search for the name would mean both.
     *
     * @param files source files, relative to the folder of the modules
     */
    static List<String> namesInSeveralModules(Collection<Path> files) {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (Path file : files) {
            modules.computeIfAbsent(String.valueOf(file.getFileName()), name -> new TreeSet<>())
                    .add(file.getName(0).toString());
        }
        modules.keySet().removeAll(Set.of("package-info.java", "module-info.java"));
        return modules.entrySet().stream()
                .filter(name -> name.getValue().size() > 1)
                .map(name -> name.getKey() + " stands in " + name.getValue())
                .toList();
    }

    private static List<String> problems(Map<String, Pattern> forbidden, String file, String text) {
        List<String> problems = new ArrayList<>();
        for (Entry<String, Pattern> rule : forbidden.entrySet()) {
            if (rule.getValue().matcher(text).find()) {
                problems.add(file + " " + rule.getKey());
            }
        }
        return problems;
    }
}
