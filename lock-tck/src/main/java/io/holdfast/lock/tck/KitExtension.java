package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.spi.LockProvider;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips rules that do not apply, opens and closes the kit around each test, and names the rule in each failure. */
final class KitExtension
        implements ExecutionCondition, BeforeEachCallback, AfterEachCallback, TestExecutionExceptionHandler {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<Needs> needs = AnnotationSupport.findAnnotation(context.getElement(), Needs.class);
        if (context.getTestMethod().isEmpty() || needs.isEmpty()) {
            return ConditionEvaluationResult.enabled("the rule needs nothing in particular");
        }
        KitCase test = (KitCase) context.getRequiredTestInstance();
        LockCapabilities capabilities = capabilities(test, context);
        for (Capability needed : needs.get().value()) {
            if (!needed.isMetBy(capabilities)) {
                return notApplicable(context, needed.mismatchWith(capabilities));
            }
        }
        try (LockHarness harness = test.harness()) {
            for (Hook hook : needs.get().hooks()) {
                if (!hook.isIn(harness)) {
                    return notApplicable(context, hook.absence());
                }
            }
        }
        return ConditionEvaluationResult.enabled("all that the rule needs is there");
    }

    private static ConditionEvaluationResult notApplicable(ExtensionContext context, String reason) {
        return ConditionEvaluationResult.disabled(subject(context) + " not applicable: " + reason);
    }

    /** Asked once for each class: they are constant, and opening a provider may cost a connection. */
    private static LockCapabilities capabilities(KitCase test, ExtensionContext context) {
        ExtensionContext ofClass = context.getParent().orElse(context);
        return ofClass.getStore(ExtensionContext.Namespace.create(KitExtension.class))
                .getOrComputeIfAbsent(
                        LockCapabilities.class,
                        key -> {
                            try (LockHarness harness = test.harness();
                                    LockProvider provider = harness.open()) {
                                return provider.capabilities();
                            }
                        },
                        LockCapabilities.class);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        KitCase test = (KitCase) context.getRequiredTestInstance();
        test.open(new Kit(test.harness(), capabilities(test, context)));
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        KitCase test = (KitCase) context.getRequiredTestInstance();
        try {
            test.kit().close(context.getExecutionException().isEmpty());
        } catch (AssertionError leftover) {
            throw named(context, leftover);
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) {
        throw named(context, failure);
    }

    private static AssertionError named(ExtensionContext context, Throwable failure) {
        String verdict = "is broken";
        if (failure instanceof InconclusiveError) {
            verdict = "is inconclusive";
        } else if (!(failure instanceof AssertionError)) {
            verdict = "could not be shown";
        }
        String message = failure instanceof AssertionError ? failure.getMessage() : failure.toString();
        AssertionError named = new AssertionError(subject(context) + " " + verdict + ": " + message, failure);
        named.setStackTrace(failure.getStackTrace());
        return named;
    }

    private static String subject(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), LockRule.class)
                .map(rule -> (rule.value().length == 1 ? "rule " : "rules ") + String.join(", ", rule.value()))
                .orElse("the harness control " + context.getDisplayName());
    }
}
