package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.Verdict;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/**
 * Skips rules that do not apply, opens and closes the kit around each test, repeats a test that was inconclusive, and names the
 * rule and the verdict of each failure.
 */
final class KitExtension
        implements BeforeAllCallback,
                ExecutionCondition,
                BeforeEachCallback,
                InvocationInterceptor,
                TestExecutionExceptionHandler,
                AfterEachCallback,
                TestWatcher,
                AfterAllCallback {

    /** JUnit's configuration parameter with the directory for the reports. Without it there is none. */
    static final String REPORT = "holdfast.tck.report";

    private static final String BEGUN = "begun";

    private static final String REPEATED = "repeated";

    /** A machine that stands still so often shows nothing. */
    private static final int TRIES = 6;

    /** What disturbed a try with one lease of the harness is a smaller part of several. */
    private static final int MOST_LEASES = 4;

    @Override
    public void beforeAll(ExtensionContext context) {
        LevelRun unused = LevelRun.of(context);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            return ConditionEvaluationResult.enabled("the kit decides for each test");
        }
        KitCase test = (KitCase) context.getRequiredTestInstance();
        LevelRun run = LevelRun.of(context);
        return reasonNotToRun(context, test, run)
                .map(reason -> ConditionEvaluationResult.disabled(subject(context) + " " + reason))
                .orElse(ConditionEvaluationResult.enabled("all that the rule needs is there"));
    }

    private static Optional<String> reasonNotToRun(ExtensionContext context, KitCase test, LevelRun run) {
        List<String> rules = rules(context);
        Optional<Needs> needs = AnnotationSupport.findAnnotation(context.getElement(), Needs.class);
        Optional<FirstThings.Defect> fault = run.firstFault(context, test);
        // Several processes take many seconds to show what the first things have shown.
        boolean slow = needs.filter(each -> List.of(each.hooks()).contains(Hook.STOPPABLE_PROCESSES))
                .isPresent();
        if (fault.isPresent() && (slow || !fault.get().leaves(rules))) {
            return Optional.of(Finding.NOT_RUN + "all rules rest on what has to be mended first, " + fault.get());
        }
        if (run.journal().hasSeenEnough()) {
            return Optional.of(Finding.NOT_RUN + "enough rules are broken");
        }
        if (needs.isEmpty()) {
            return Optional.empty();
        }
        for (Capability needed : needs.get().value()) {
            if (!needed.isMetBy(run.capabilities(context, test))) {
                return Optional.of("not applicable: " + needed.mismatchWith(run.capabilities(context, test)));
            }
        }
        try (LockHarness harness = test.harness()) {
            for (Hook hook : needs.get().hooks()) {
                if (!hook.isIn(harness)) {
                    return Optional.of("not applicable: " + hook.absence(harness));
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        KitCase test = (KitCase) context.getRequiredTestInstance();
        store(context).put(BEGUN, Pace.now());
        open(context, test, 1);
    }

    private static void open(ExtensionContext context, KitCase test, int leases) {
        LockCapabilities capabilities = LevelRun.of(context).capabilities(context, test);
        List<Hook> faults = needs(context).filter(Hook::isFault).toList();
        LockHarness harness = test.harness();
        // Before the rule opens a provider: a fault reaches only those that are opened after it was asked for.
        faults.forEach(fault -> {
            boolean unused = fault.isIn(harness);
        });
        test.open(new Kit(harness, capabilities, !faults.isEmpty(), leases, begun(context)));
    }

    private static long begun(ExtensionContext context) {
        return store(context).get(BEGUN, Long.class);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        if (!isOfTheKit(context)) {
            invocation.proceed();
            return;
        }
        try {
            invocation.proceed();
            endTry(context);
        } catch (Exception | AssertionError failure) {
            repeat(context, method.getExecutable(), failure);
        }
    }

    /** Whether a test is the kit's, and not the vendor's: it takes no arguments, and needs nothing but the kit. */
    private static boolean isOfTheKit(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getElement(), LockRule.class)
                || AnnotationSupport.isAnnotated(context.getElement(), KitControl.class);
    }

    /**
     * Repeats a test for as long as its failures prove nothing, each time with a new kit and new locks, in a calmer moment and
     * with longer leases.
     */
    private static void repeat(ExtensionContext context, Method method, Throwable firstFailure) throws Throwable {
        KitCase test = (KitCase) context.getRequiredTestInstance();
        Throwable failure = firstFailure;
        Duration firstTook = Pace.since(begun(context));
        for (int tries = 1; tries < TRIES && isExplained(context, failure); tries++) {
            OptionalInt leases = leases(context, tries, firstTook);
            if (leases.isEmpty()) {
                break;
            }
            String seen = test.kit().judge(subject(context), failure).seen();
            store(context).put(REPEATED, tries + (tries == 1 ? " try" : " tries") + " before proved nothing: " + seen);
            renewKit(context, leases.getAsInt(), failure);
            try {
                Object unused = ReflectionSupport.invokeMethod(method, test);
                endTry(context);
                return;
            } catch (Exception | AssertionError next) {
                failure = next;
            }
        }
        throw failure;
    }

    /**
     * How many leases of the harness the short lease of the next try is as long as. A try is expected to take as many times
     * longer as its leases are. Fewer, if it would end too late; empty if even one lease would.
     */
    private static OptionalInt leases(ExtensionContext context, int tries, Duration firstTook) {
        Duration left = endsWithin(context).minus(Pace.since(begun(context)));
        int leases = Math.min(tries + 1, MOST_LEASES);
        while (leases > 0 && firstTook.multipliedBy(leases).compareTo(left) >= 0) {
            leases--;
        }
        return leases == 0 ? OptionalInt.empty() : OptionalInt.of(leases);
    }

    /** When the last try has to end: some time before the time-out of its test. */
    private static Duration endsWithin(ExtensionContext context) {
        Timeout timeOut = AnnotationSupport.findAnnotation(context.getElement(), Timeout.class)
                .orElseThrow();
        return Duration.of(timeOut.value(), timeOut.unit().toChronoUnit())
                .multipliedBy(5)
                .dividedBy(6);
    }

    /** What a test leaves behind is a part of it, and is repeated with it. */
    private static void endTry(ExtensionContext context) throws Exception {
        ((KitCase) context.getRequiredTestInstance()).kit().close(true);
    }

    private static boolean isExplained(ExtensionContext context, Throwable failure) {
        KitCase test = (KitCase) context.getRequiredTestInstance();
        return test.kit().isExplained(failure);
    }

    private static void renewKit(ExtensionContext context, int leases, Throwable failure) throws Throwable {
        KitCase test = (KitCase) context.getRequiredTestInstance();
        try {
            test.kit().close(false);
        } catch (Exception | AssertionError problem) {
            // What disturbed the test disturbs its end, too.
            failure.addSuppressed(problem);
        }
        try {
            Metronome.awaitCalm(test.kit().lease());
            open(context, test, leases);
        } catch (Exception | AssertionError problem) {
            failure.addSuppressed(problem);
            throw failure;
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) {
        throwJudged(context, failure);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        KitCase test = (KitCase) context.getRequiredTestInstance();
        try {
            test.kit().close(context.getExecutionException().isEmpty());
        } catch (Exception | AssertionError leftover) {
            throwJudged(context, leftover);
        }
    }

    /** Throws the failure with its verdict, or an abort if the vendor has declared the deviation. */
    private static void throwJudged(ExtensionContext context, Throwable failure) {
        if (failure instanceof TestAbortedException inapplicable) {
            throw inapplicable;
        }
        KitCase test = (KitCase) context.getRequiredTestInstance();
        KitFailure judged = test.kit().judge(subject(context), failure);
        Optional<String> excuse = LevelRun.of(context).deviations().excusing(rules(context));
        if (judged.verdict() == Verdict.BROKEN && excuse.isPresent()) {
            throw new TestAbortedException(
                    subject(context) + ": a declared deviation, because " + excuse.get() + ": " + judged.seen(),
                    judged);
        }
        throw judged;
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        note(context, Verdict.PASS, store(context).getOrDefault(REPEATED, String.class, ""));
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        String because = reason.orElse("it is disabled");
        note(context, Verdict.SKIPPED, because.replace(subject(context) + " ", ""));
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        Verdict verdict = cause.getCause() instanceof KitFailure ? Verdict.DEVIATION : Verdict.SKIPPED;
        note(context, verdict, String.valueOf(cause.getMessage()));
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        if (cause instanceof KitFailure failure) {
            note(context, failure.verdict(), failure.seen());
        } else {
            note(context, Verdict.BROKEN, "an exception outside of the test: " + cause);
        }
    }

    private static void note(ExtensionContext context, Verdict verdict, String text) {
        Long begun = store(context).get(BEGUN, Long.class);
        Duration time = begun == null ? Duration.ZERO : Pace.since(begun);
        LevelRun run = LevelRun.of(context);
        run.journal()
                .add(new Finding(
                        run.level(),
                        context.getRequiredTestMethod().getName(),
                        rules(context),
                        hooks(context),
                        verdict,
                        text,
                        time));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LevelRun.of(context).end(context.getConfigurationParameter(REPORT).map(Path::of));
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(ExtensionContext.Namespace.create(KitExtension.class, context.getUniqueId()));
    }

    private static List<String> rules(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), LockRule.class)
                .map(rule -> List.of(rule.value()))
                .orElse(List.of());
    }

    private static Stream<Hook> needs(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), Needs.class).stream()
                .flatMap(needs -> Arrays.stream(needs.hooks()));
    }

    private static List<String> hooks(ExtensionContext context) {
        return needs(context).map(Hook::name).toList();
    }

    private static String subject(ExtensionContext context) {
        return Finding.subject(context.getDisplayName(), rules(context));
    }
}
