package io.holdfast.build.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Which code of the JDK a class uses: calls, constructor calls and method references. */
final class Calls {

    private Calls() {}

    static ProjectRule none(String name, DescribedPredicate<JavaClass> in, Predicate<JavaAccess<?>> forbidden) {
        return new ProjectRule(
                name,
                ArchRuleDefinition.classes()
                        .that(in)
                        .should(avoid(name, forbidden))
                        .allowEmptyShould(true));
    }

    /** Any of some methods; a constructor is called {@code <init>}. */
    static Predicate<JavaAccess<?>> to(Class<?> type, String... methods) {
        Set<String> names = Set.of(methods);
        return access -> access.getTargetOwner().isEquivalentTo(type)
                && (names.isEmpty() || names.contains(access.getTarget().getName()));
    }

    static Predicate<JavaAccess<?>> withParameters(int count, Predicate<JavaAccess<?>> call) {
        return access -> access instanceof JavaCall<?> made
                && made.getTarget().getRawParameterTypes().size() == count
                && call.test(access);
    }

    static Stream<JavaAccess<?>> madeBy(JavaClass type) {
        return Stream.of(
                        type.getMethodCallsFromSelf().stream(),
                        type.getConstructorCallsFromSelf().stream(),
                        type.getMethodReferencesFromSelf().stream(),
                        type.getConstructorReferencesFromSelf().stream())
                .flatMap(accesses -> accesses);
    }

    private static ArchCondition<JavaClass> avoid(String name, Predicate<JavaAccess<?>> forbidden) {
        return new ArchCondition<>("obey: " + name) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                madeBy(type)
                        .filter(forbidden)
                        .forEach(access -> events.add(SimpleConditionEvent.violated(access, access.getDescription())));
            }
        };
    }
}
