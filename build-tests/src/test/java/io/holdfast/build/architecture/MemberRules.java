package io.holdfast.build.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What methods take, throw and log. */
final class MemberRules {

    private static final int MOST_PARAMETERS = 5;

    private MemberRules() {}

    static List<ProjectRule> of(Codebase code) {
        return List.of(
                rule("time is a Duration", code.contract(), unit -> isHidden(unit) || !takes(unit, TimeUnit.class)),
                rule("no boolean flags", code.contract(), unit -> isHidden(unit) || !takes(unit, boolean.class)),
                rule(
                        "no throws Exception",
                        code.production(),
                        unit -> throwsWhatItsCallerChooses(unit)
                                || unit.getThrowsClause().getTypes().stream()
                                        .noneMatch(thrown -> thrown.isEquivalentTo(Exception.class)
                                                || thrown.isEquivalentTo(Throwable.class))),
                rule(
                        "what is thrown is a LockException or an interrupt",
                        code.contract(),
                        unit -> unit.getThrowsClause().getTypes().stream()
                                .allMatch(thrown -> thrown.isEquivalentTo(InterruptedException.class)
                                        || thrown.isAssignableTo(code.root() + ".LockException")
                                        || throwsWhatItsCallerChooses(unit))),
                rule(
                        "at most five parameters",
                        code.production(),
                        unit -> unit.getRawParameterTypes().size() <= MOST_PARAMETERS
                                || unit.isConstructor()
                                || unit.getModifiers().contains(JavaModifier.SYNTHETIC)),
                Calls.none(
                        "no nameless exceptions",
                        code.production(),
                        Calls.to(Exception.class, "<init>")
                                .or(Calls.to(Error.class, "<init>"))
                                .or(Calls.to(Throwable.class, "<init>"))
                                .or(Calls.to(RuntimeException.class, "<init>"))
                                .and(access -> !access.getOriginOwner().isAssignableTo(Throwable.class))
                                .or(Calls.withParameters(0, Calls.to(IllegalStateException.class, "<init>")))
                                .or(Calls.withParameters(0, Calls.to(IllegalArgumentException.class, "<init>")))),
                Calls.none(
                        "the API logs nothing",
                        code.contract(),
                        access -> access.getTargetOwner().isEquivalentTo(System.Logger.class)
                                || Calls.to(System.class, "getLogger").test(access)),
                new ProjectRule(
                        "the system logger is the only logger",
                        noClasses()
                                .that(code.production())
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache.logging..")),
                new ProjectRule(
                        "nothing is printed",
                        // Except by LockLog: if the log itself is broken, there is no other place. And by a command.
                        noClasses()
                                .that(code.production()
                                        .and(not(code.named("core.runtime.LockLog", "core.migration.MigrationStatus"))))
                                .should(ACCESS_STANDARD_STREAMS)));
    }

    private static ProjectRule rule(String name, DescribedPredicate<JavaClass> in, Predicate<JavaCodeUnit> holds) {
        return new ProjectRule(
                name,
                codeUnits()
                        .that()
                        .areDeclaredInClassesThat(in)
                        .should(new ArchCondition<JavaCodeUnit>("obey: " + name) {
                            @Override
                            public void check(JavaCodeUnit unit, ConditionEvents events) {
                                if (!holds.test(unit)) {
                                    events.add(SimpleConditionEvent.violated(unit, unit.getDescription()));
                                }
                            }
                        })
                        .allowEmptyShould(true));
    }

    private static boolean takes(JavaCodeUnit unit, Class<?> type) {
        return unit.getRawParameterTypes().stream().anyMatch(parameter -> parameter.isEquivalentTo(type));
    }

    /** Whether what it throws is a type variable: the exception of the application's work. */
    private static boolean throwsWhatItsCallerChooses(JavaCodeUnit unit) {
        return unit instanceof JavaMethod method
                && method.getThrowsClause().getTypes().stream()
                        .anyMatch(thrown -> thrown.isEquivalentTo(Exception.class))
                && Arrays.stream(method.reflect().getGenericExceptionTypes()).anyMatch(TypeVariable.class::isInstance);
    }

    private static boolean isHidden(JavaCodeUnit unit) {
        Set<JavaModifier> modifiers = unit.getModifiers();
        return !modifiers.contains(JavaModifier.PUBLIC) && !modifiers.contains(JavaModifier.PROTECTED);
    }
}
