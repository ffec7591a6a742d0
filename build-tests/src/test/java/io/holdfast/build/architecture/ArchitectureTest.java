package io.holdfast.build.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.EvaluationResult;
import io.holdfast.lock.tck.LockRule;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

    private static final Codebase REAL = Codebase.real();
    private static final Codebase PLANTED = Codebase.planted();

    static List<ProjectRule> rules() {
        return rules(REAL);
    }

    static List<ProjectRule> plantedRules() {
        return rules(PLANTED);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void projectObeysRule(ProjectRule rule) {
        EvaluationResult result = rule.rule().evaluate(REAL.classes());

        assertThat(result.getFailureReport().getDetails()).as(rule.name()).isEmpty();
    }

    /** No test can set back the clock of one client, but a clock that no code reads does no harm. */
    @LockRule("2.4")
    void noProductionCodeReadsAWallClock() {
        assertThat(rules())
                .filteredOn(rule -> rule.name().equals("no wall clock"))
                .singleElement()
                .satisfies(
                        rule -> assertThat(rule.rule().evaluate(REAL.classes()).hasViolation())
                                .isFalse());
    }

    @ParameterizedTest
    @MethodSource("plantedRules")
    void ruleReportsItsPlantedViolationsOnly(ProjectRule rule) {
        Set<String> planted = PLANTED.classes().stream()
                .filter(type -> violatedRules(type).anyMatch(rule.name()::equals))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
        assertThat(planted).as("planted violations of the rule").isNotEmpty();

        List<String> noticed =
                rule.rule().evaluate(PLANTED.classes()).getFailureReport().getDetails();

        assertThat(planted).allSatisfy(name -> assertThat(noticed).anyMatch(detail -> detail.contains(name)));
        assertThat(noticed).allMatch(detail -> planted.stream().anyMatch(detail::contains));
    }

    @Test
    void everyPlantedViolationNamesAnExistingRule() {
        Set<String> names = plantedRules().stream().map(ProjectRule::name).collect(Collectors.toSet());

        assertThat(PLANTED.classes().stream().flatMap(ArchitectureTest::violatedRules))
                .isSubsetOf(names);
    }

    @Test
    void rulesSeeTheApi() {
        assertThat(REAL.classes().stream().map(JavaClass::getPackageName)).contains("io.holdfast.lock");
    }

    private static List<ProjectRule> rules(Codebase code) {
        return Stream.of(
                        DependencyRules.of(code),
                        TimeRules.of(code),
                        ThreadRules.of(code),
                        TypeRules.of(code),
                        MemberRules.of(code))
                .flatMap(List::stream)
                .toList();
    }

    private static Stream<String> violatedRules(JavaClass type) {
        return type.tryGetAnnotationOfType(Violates.class).stream().flatMap(found -> Arrays.stream(found.value()));
    }
}
