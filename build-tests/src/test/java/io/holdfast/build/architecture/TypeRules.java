package io.holdfast.build.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.NullMarked;

/** What kinds of type there are, and who implements them. */
final class TypeRules {

    /** What vendors and users implement. */
    private static final Set<String> IMPLEMENTABLE = Set.of(
            "LockListener",
            "LockedAction",
            "LockedCall",
            "spi.LockProvider",
            "spi.LockProviderFactory",
            "spi.Claim",
            "spi.ReleaseFeed");

    /** What the engine implements; callers use it only. */
    private static final Set<String> OURS = Set.of(
            "LockClient",
            "DistributedLock",
            "LockHandle",
            "MultiLock",
            "MultiLockHandle",
            "spi.ClaimSignals",
            "spi.ReleaseFeed$Listener");

    private TypeRules() {}

    static List<ProjectRule> of(Codebase code) {
        return List.of(
                rule(
                        "exported classes are final",
                        code.exportedTypes().and(DescribedPredicate.not(code.tck())),
                        type -> type.isInterface()
                                || type.getModifiers().contains(JavaModifier.FINAL)
                                || type.isEnum()
                                // Required of an embeddable.
                                || type.isAnnotatedWith("jakarta.persistence.Embeddable")
                                || type.getName().equals(code.root() + ".LockException")),
                rule(
                        "backends and engine export a provider, its builder and its factory",
                        code.exportedTypes()
                                .and(Codebase.where("top level", JavaClass::isTopLevelClass))
                                .and(code.backends().or(code.engine())),
                        // And guards of resources, and the two types by which a migration is steered and watched.
                        type -> type.getSimpleName()
                                .matches(
                                        ".*LockProvider(Factory)?|.*Fence|.*Guard|FencedEntity|Phase|MigrationStatus")),
                rule(
                        "what can be implemented is listed",
                        code.contract()
                                .and(Codebase.where(
                                        "open interfaces",
                                        type -> type.isInterface()
                                                && !isPackageInfo(type)
                                                && !type.isAnnotation()
                                                && !isSealed(type))),
                        type -> isOneOf(type, code.root(), IMPLEMENTABLE) || isOneOf(type, code.root(), OURS)),
                rule(
                        "client, lock, handle and signals are implemented by hidden final classes of engine and kit",
                        Codebase.where(
                                "implementations",
                                type -> !type.isInterface()
                                        && type.getAllRawInterfaces().stream()
                                                .anyMatch(face -> isOneOf(face, code.root(), OURS))),
                        // The listener of each server's messages counts the servers before the engine hears of them.
                        type -> code.engine()
                                        .or(code.tck())
                                        .or(code.named("redis.QuorumFeed$NodeListener"))
                                        .test(type)
                                && (type.getModifiers().contains(JavaModifier.FINAL) || isUnextendable(type))
                                && !code.exportedTypes().test(type)),
                rule(
                        "every package is null-marked",
                        DescribedPredicate.<JavaClass>alwaysTrue(),
                        type -> type.getPackage().isAnnotatedWith(NullMarked.class)),
                rule(
                        "every exception is a LockException",
                        code.production()
                                // These classes hold exceptions that only mark the cause of one.
                                .and(DescribedPredicate.not(code.named("redis.RedisFailures", "redis.MasterFailures")))
                                .and(Codebase.where("throwables", type -> type.isAssignableTo(Throwable.class))),
                        type -> type.isAssignableTo(code.root() + ".LockException")),
                rule(
                        "a name says the role",
                        DescribedPredicate.<JavaClass>alwaysTrue(),
                        type -> !type.getSimpleName().matches(".*(Utils?|Helper|Manager|Impl)")));
    }

    private static ProjectRule rule(String name, DescribedPredicate<JavaClass> of, Predicate<JavaClass> holds) {
        return new ProjectRule(
                name,
                classes()
                        .that(of)
                        .should(new ArchCondition<JavaClass>("obey: " + name) {
                            @Override
                            public void check(JavaClass type, ConditionEvents events) {
                                if (!holds.test(type)) {
                                    events.add(SimpleConditionEvent.violated(type, type.getDescription()));
                                }
                            }
                        })
                        .allowEmptyShould(true));
    }

    private static boolean isOneOf(JavaClass type, String root, Set<String> names) {
        return names.stream().anyMatch(name -> type.getName().equals(root + "." + name));
    }

    /** The byte code names the subtypes of a sealed type, and the importer does not read them. */
    private static boolean isSealed(JavaClass type) {
        return type.reflect().isSealed();
    }

    private static boolean isPackageInfo(JavaClass type) {
        return type.getSimpleName().equals("package-info");
    }

    private static boolean isUnextendable(JavaClass type) {
        return type.isAnonymousClass() || type.isRecord() || type.isEnum();
    }
}
