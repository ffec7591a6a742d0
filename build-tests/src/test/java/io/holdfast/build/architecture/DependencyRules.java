package io.holdfast.build.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which code may depend on which. */
final class DependencyRules {

    /** The packages of the store client that each backend is built on. A new backend adds its line here. */
    private static final Map<String, String[]> CLIENTS = Map.of(
            "redis", new String[] {"redis.clients..", "org.apache.commons.pool2.."},
            "redisson", new String[] {"org.redisson..", "io.netty.util.."},
            "zookeeper", new String[] {"org.apache.curator..", "org.apache.zookeeper.."},
            "jdbc",
                    new String[] {
                        "javax.sql..",
                        "com.zaxxer.hikari..",
                        "org.postgresql..",
                        "jakarta.persistence..",
                        "org.hibernate.."
                    });

    /** The classes of the API that make clients out of providers, and so have to name SPI and engine. */
    private static final String[] ENTRY_POINTS = {"LockClient", "ConnectionUri", "OptionParameters", "ServiceLookup"};

    private DependencyRules() {}

    static List<ProjectRule> of(Codebase code) {
        DescribedPredicate<JavaClass> contract = code.contract().or(code.platform());
        DescribedPredicate<JavaClass> withEngine = contract.or(code.engineInterface());
        return List.of(
                only(
                        "the API knows the JDK and JSpecify alone",
                        code.api().and(not(code.named(ENTRY_POINTS))),
                        code.api().or(code.platform())),
                only(
                        "the entry points of the API know SPI and engine interface too",
                        code.named(ENTRY_POINTS),
                        withEngine),
                only("the engine interface knows API and SPI", code.engineInterface(), withEngine),
                only("the SPI knows the API", code.spi(), contract),
                only("the engine knows API and SPI", code.engine(), withEngine.or(code.engine())),
                only(
                        "the kit knows no backend",
                        code.tck(),
                        contract.or(code.engine())
                                .or(code.tck())
                                .or(resideInAnyPackage(
                                        "org.junit..", "org.opentest4j..", "org.apiguardian..", "javax.xml.stream.."))),
                new ProjectRule(
                        "a backend knows API, SPI and its own client",
                        classes()
                                .that(code.backends())
                                .should(knowOnlyItsClient(code))
                                .allowEmptyShould(true)),
                new ProjectRule(
                        "no package cycles",
                        slices().assignedFrom(packagesBelow(code.root()))
                                .should()
                                .beFreeOfCycles()
                                .ignoreDependency(
                                        code.named(ENTRY_POINTS), code.spi().or(code.engineInterface()))),
                new ProjectRule(
                        "no circle of more than three types in the engine",
                        classes().that(code.engine()).should(new TypeCircles(3)).allowEmptyShould(true)),
                new ProjectRule(
                        "client types are seen in the provider and its builder alone",
                        classes()
                                // What is below a backend's package is not exported.
                                .that(code.backends().and(resideInAPackage(code.root() + ".*")))
                                .should(hideItsClient())
                                .allowEmptyShould(true)));
    }

    private static ProjectRule only(
            String name, DescribedPredicate<JavaClass> who, DescribedPredicate<JavaClass> mayKnow) {
        return new ProjectRule(
                name,
                classes().that(who).should().onlyDependOnClassesThat(mayKnow).allowEmptyShould(true));
    }

    private static ArchCondition<JavaClass> knowOnlyItsClient(Codebase code) {
        return new ArchCondition<>("know API, SPI and their own client") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String backend = type.getPackageName()
                        .substring(code.root().length() + 1)
                        .replaceFirst("\\..*", "");
                String[] client = CLIENTS.getOrDefault(backend, new String[0]);
                DescribedPredicate<JavaClass> known = code.contract()
                        .or(code.platform())
                        .or(code.backend(backend))
                        .or(resideInAnyPackage(client));
                type.getDirectDependenciesFromSelf().stream()
                        .filter(dependency ->
                                !known.test(dependency.getTargetClass().getBaseComponentType()))
                        .filter(dependency -> !dependency
                                .getTargetClass()
                                .getBaseComponentType()
                                .isPrimitive())
                        .forEach(dependency ->
                                events.add(SimpleConditionEvent.violated(type, dependency.getDescription())));
            }
        };
    }

    private static SliceAssignment packagesBelow(String root) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getPackageName().startsWith(root)
                        ? SliceIdentifier.of(type.getPackageName())
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages";
            }
        };
    }

    private static ArchCondition<JavaClass> hideItsClient() {
        DescribedPredicate<JavaClass> clientType =
                resideInAnyPackage(CLIENTS.values().stream().flatMap(Stream::of).toArray(String[]::new));
        return new ArchCondition<>("keep the types of the client out of what others see") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getModifiers().contains(JavaModifier.PUBLIC)
                        || type.getName().matches(".*(LockProvider|Fence)(\\$Builder)?")) {
                    return;
                }
                type.getCodeUnits().stream()
                        .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC)
                                || unit.getModifiers().contains(JavaModifier.PROTECTED))
                        .filter(unit -> Stream.concat(
                                        unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                                .map(JavaClass::getBaseComponentType)
                                .anyMatch(clientType))
                        .forEach(unit -> events.add(SimpleConditionEvent.violated(unit, unit.getDescription())));
            }
        };
    }
}
