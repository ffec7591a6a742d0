package io.holdfast.build.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Where code may make threads, when it may ask which thread runs it, and how it may not wait. */
final class ThreadRules {

    /** Methods of the calling thread that do not use its identity. */
    private static final Set<String> HARMLESS =
            Set.of("interrupt", "isInterrupted", "getName", "getContextClassLoader", "isVirtual");

    private ThreadRules() {}

    static List<ProjectRule> of(Codebase code) {
        DescribedPredicate<JavaClass> all = DescribedPredicate.<JavaClass>alwaysTrue();
        // The one class that makes the owner of "the calling thread", and the name that operators see.
        DescribedPredicate<JavaClass> identity = code.named("core.claim.ClientIdentity");
        // The kit lets calls meet within a microsecond.
        DescribedPredicate<JavaClass> races = code.named("tck.Duel").or(code.named("tck.Takeovers"));
        Predicate<JavaAccess<?>> spin =
                Calls.to(Thread.class, "onSpinWait").and(access -> !races.test(access.getOriginOwner()));
        Predicate<JavaAccess<?>> sleep = Calls.to(Thread.class, "sleep")
                .or(Calls.to(TimeUnit.class, "sleep"))
                .or(spin);
        Predicate<JavaAccess<?>> monitorWait =
                access -> access.getTarget().getName().matches("wait|notify|notifyAll")
                        && Calls.to(Object.class).test(access);
        return List.of(
                Calls.none("no sleep", all, sleep),
                Calls.none("no wait and notify", all, monitorWait),
                new ProjectRule(
                        "no thread local",
                        noClasses()
                                // The locks of asLock() are owned by threads and end with them.
                                .that(not(code.named("core.client.ThreadHolds")))
                                .should()
                                .dependOnClassesThat()
                                .areAssignableTo(ThreadLocal.class)),
                new ProjectRule(
                        "no thread is kept as an identity",
                        noFields()
                                .that()
                                .areDeclaredInClassesThat(code.production().and(not(feeds(code))))
                                .should()
                                .haveRawType(Thread.class)
                                .allowEmptyShould(true)),
                Calls.none(
                        "no thread id outside the owner's identity",
                        code.production().and(not(identity)),
                        Calls.to(Thread.class, "getId", "threadId")),
                new ProjectRule(
                        "the current thread is asked for nothing but its interrupt and its name",
                        classes()
                                .that(code.production()
                                        .and(not(identity))
                                        // Which asks for its kind, by reflection.
                                        .and(not(code.named("core.runtime.VirtualThreads"))))
                                .should(askTheCurrentThreadNothingElse())
                                .allowEmptyShould(true)),
                Calls.none(
                        "threads are made in one place",
                        code.production()
                                .and(not(code.named("core.runtime.EngineThreads")))
                                // Which keeps the callers' interrupts away from a client that connects.
                                .and(not(code.named("redisson.ConnectThread")))
                                // Which gives the client of a URI its threads.
                                .and(not(code.named("redisson.OwnClient")))
                                // Which asks servers why there is no session, and a resolver may never answer.
                                .and(not(code.named("zookeeper.ConnectionDiagnosis")))
                                // Which keep the connections of the callers' transactions away.
                                .and(not(code.named("jdbc.BorrowingThreads")))
                                // Which cancels statements that run for too long.
                                .and(not(code.named("jdbc.table.StatementWatch")))
                                .and(not(feeds(code))),
                        threadsAreMade()));
    }

    /** The classes that read what the store sends: each may have one thread. */
    private static DescribedPredicate<JavaClass> feeds(Codebase code) {
        return code.named("redis.ReleaseMessages", "redis.NodeConnection", "jdbc.NotificationFeed");
    }

    private static Predicate<JavaAccess<?>> threadsAreMade() {
        // The forms without an executor run on the common pool, which belongs to the application.
        return Calls.to(Thread.class, "<init>", "startVirtualThread", "ofVirtual", "ofPlatform")
                .or(Calls.to(Executors.class))
                .or(Calls.to(ThreadPoolExecutor.class, "<init>"))
                .or(Calls.to(ScheduledThreadPoolExecutor.class, "<init>"))
                .or(Calls.to(ForkJoinPool.class, "<init>", "commonPool"))
                .or(Calls.to(Timer.class, "<init>"))
                .or(Calls.to(CompletableFuture.class, "orTimeout", "completeOnTimeout", "delayedExecutor"))
                .or(Calls.withParameters(1, Calls.to(CompletableFuture.class, "supplyAsync", "runAsync")))
                .or(Calls.withParameters(
                        1,
                        Calls.to(
                                CompletableFuture.class,
                                "thenRunAsync",
                                "thenAcceptAsync",
                                "thenApplyAsync",
                                "thenComposeAsync",
                                "whenCompleteAsync",
                                "handleAsync",
                                "completeAsync")));
    }

    private static ArchCondition<JavaClass> askTheCurrentThreadNothingElse() {
        return new ArchCondition<>("ask the current thread for nothing but its interrupt and its name") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Set<JavaCodeUnit> askers = Calls.madeBy(type)
                        .filter(Calls.to(Thread.class, "currentThread"))
                        .map(JavaAccess::getOrigin)
                        .collect(Collectors.toSet());
                for (JavaCodeUnit asker : askers) {
                    if (count(asker, Set.of("currentThread")) > count(asker, HARMLESS)) {
                        events.add(SimpleConditionEvent.violated(
                                asker, asker.getDescription() + " uses the current thread for more"));
                    }
                }
            }
        };
    }

    private static long count(JavaCodeUnit unit, Set<String> methods) {
        return unit.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().isEquivalentTo(Thread.class))
                .filter(call -> methods.contains(call.getName()))
                .count();
    }
}
