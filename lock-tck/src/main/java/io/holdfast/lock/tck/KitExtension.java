package io.holdfast.lock.tck;

import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.Verdict;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
import org.opentest4j.TestAbortedException;

/**
 * Skips rules that do not apply, opens and closes the kit around each test, and names the rule and the verdict of each failure.
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
        Tries.begin(context);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        if (!isOfTheKit(context)) {
            invocation.proceed();
            return;
        }
        Tries.run(context, invocation, method.getExecutable());
    }

    /** Whether a test is the kit's, and not the vendor's: it takes no arguments, and needs nothing but the kit. */
    private static boolean isOfTheKit(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getElement(), LockRule.class)
                || AnnotationSupport.isAnnotated(context.getElement(), KitControl.class);
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
        note(context, Verdict.PASS, Tries.before(context));
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
        LevelRun run = LevelRun.of(context);
        run.journal()
                .add(new Finding(
                        run.level(),
                        context.getRequiredTestMethod().getName(),
                        rules(context),
                        hooks(context),
                        verdict,
                        text,
                        Tries.took(context)));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LevelRun.of(context).end(context.getConfigurationParameter(REPORT).map(Path::of));
    }

    private static List<String> rules(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), LockRule.class)
                .map(rule -> List.of(rule.value()))
                .orElse(List.of());
    }

    static Stream<Hook> needs(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), Needs.class).stream()
                .flatMap(needs -> Arrays.stream(needs.hooks()));
    }

    private static List<String> hooks(ExtensionContext context) {
        return needs(context).map(Hook::name).toList();
    }

    static String subject(ExtensionContext context) {
        return Finding.subject(context.getDisplayName(), rules(context));
    }
}
