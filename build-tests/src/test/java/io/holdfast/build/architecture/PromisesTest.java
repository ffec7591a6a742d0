package io.holdfast.build.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import io.holdfast.build.Promises;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each package that a module exports has its promise in {@code COMPATIBILITY.md} and says it in its Javadoc. */
class PromisesTest {

    @Test
    void everyExportedPackageHasAPromiseAndSaysIt() {
        Map<String, String> infos = ModuleDescriptors.exportedPackages().stream()
                .collect(Collectors.toMap(Function.identity(), PromisesTest::packageInfo));
        assertThat(infos).hasSizeGreaterThan(5);

        assertThat(problems(Promises.read(), infos)).isEmpty();
    }

    @Test
    void plantedViolationsAreReported() {
        Map<String, String> promises = Promises.in("""
                | package | artifact | used by | status |
                |---|---|---|---|
                | `a.listed` | a | all | stable |
                | `a.silent` | a | all | stable |
                | `a.gone` | a | all | stable |
                | `a.vague` | a | all | perhaps |
                """);
        Map<String, String> infos = Map.of(
                "a.listed", "This package is stable: only a major release changes it.",
                "a.silent", "This package is experimental: any minor release may change it.",
                "a.vague", "This package is perhaps: nobody knows.",
                "a.added", "This package is stable: only a major release changes it.");

        assertThat(problems(promises, infos))
                .containsExactly(
                        "a.added has no row in the table",
                        "a.gone is exported by no module",
                        "a.silent does not say in its Javadoc that it is stable",
                        "a.vague has no row in the table");
    }

    private static List<String> problems(Map<String, String> promises, Map<String, String> infos) {
        List<String> problems = new ArrayList<>();
        TreeSet<String> all = new TreeSet<>(promises.keySet());
        all.addAll(infos.keySet());
        for (String each : all) {
            if (!promises.containsKey(each)) {
                problems.add(each + " has no row in the table");
            } else if (!infos.containsKey(each)) {
                problems.add(each + " is exported by no module");
            } else if (!infos.get(each).contains("This package is " + promises.get(each) + ":")) {
                problems.add(each + " does not say in its Javadoc that it is " + promises.get(each));
            }
        }
        return problems;
    }

    private static String packageInfo(String name) {
        Predicate<String> declares = text -> text.contains("package " + name + ";");
        Stream<String> infos =
                Checkout.files("src/main/java", "package-info.java").stream().map(Checkout::read);
        return infos.filter(declares).findFirst().orElse("");
    }
}
