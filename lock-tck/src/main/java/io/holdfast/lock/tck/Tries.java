package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * The tries of one test: it is repeated for as long as its failures prove nothing, each time with a new kit and new locks, in a
 * calmer moment and with longer leases.
 */
final class Tries {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Tries.class);

    /** A machine that stands still so often shows nothing. */
    private static final int MOST = 6;

    /** What disturbed a try with one lease of the harness is a smaller part of several. */
    private static final int MOST_LEASES = 4;

    private final ExtensionContext context;
    private final KitCase test;
    private final long begun = Pace.now();
    private String before = "";

    private Tries(ExtensionContext context) {
        this.context = context;
        this.test = (KitCase) context.getRequiredTestInstance();
    }

    /** Begins the first try of a test. */
    static void begin(ExtensionContext context) {
        Tries tries = new Tries(context);
        store(context).put(context.getUniqueId(), tries);
        tries.open(1);
    }

    /** Runs the first try, and those that it takes. */
    static void run(ExtensionContext context, Invocation<Void> first, Method method) throws Throwable {
        Tries tries = of(context);
        try {
            first.proceed();
            tries.end();
        } catch (Exception | AssertionError failure) {
            tries.repeat(method, failure);
        }
    }

    /** What the tries before the last one have shown; empty if there were none. */
    static String before(ExtensionContext context) {
        return of(context).before;
    }

    /** For how long a test has run; no time if it was skipped. */
    static Duration took(ExtensionContext context) {
        Tries tries = store(context).get(context.getUniqueId(), Tries.class);
        return tries == null ? Duration.ZERO : Pace.since(tries.begun);
    }

    private static Tries of(ExtensionContext context) {
        return Objects.requireNonNull(store(context).get(context.getUniqueId(), Tries.class));
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }

    private void open(int leases) {
        LockCapabilities capabilities = LevelRun.of(context).capabilities(context, test);
        List<Hook> faults = KitExtension.needs(context).filter(Hook::isFault).toList();
        LockHarness harness = test.harness();
        // Before the rule opens a provider: a fault reaches only those that are opened after it was asked for.
        faults.forEach(fault -> {
            boolean unused = fault.isIn(harness);
        });
        test.open(new Kit(harness, capabilities, !faults.isEmpty(), leases, begun));
    }

    /** What a test leaves behind is a part of it, and is repeated with it. */
    private void end() throws Exception {
        test.kit().close(true);
    }

    private void repeat(Method method, Throwable firstFailure) throws Throwable {
        Throwable failure = firstFailure;
        Duration firstTook = Pace.since(begun);
        for (int tries = 1; tries < MOST && test.kit().isExplained(failure); tries++) {
            OptionalInt leases = leases(tries, firstTook);
            if (leases.isEmpty()) {
                break;
            }
            String seen =
                    test.kit().judge(KitExtension.subject(context), failure).seen();
            before = tries + (tries == 1 ? " try" : " tries") + " before proved nothing: " + seen;
            renewKit(leases.getAsInt(), failure);
            try {
                Object unused = ReflectionSupport.invokeMethod(method, test);
                end();
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
    private OptionalInt leases(int tries, Duration firstTook) {
        Duration left = endsWithin().minus(Pace.since(begun));
        int leases = Math.min(tries + 1, MOST_LEASES);
        while (leases > 0 && firstTook.multipliedBy(leases).compareTo(left) >= 0) {
            leases--;
        }
        return leases == 0 ? OptionalInt.empty() : OptionalInt.of(leases);
    }

    /** When the last try has to end: some time before the time-out of its test. */
    private Duration endsWithin() {
        Timeout timeOut = AnnotationSupport.findAnnotation(context.getElement(), Timeout.class)
                .orElseThrow();
        return Duration.of(timeOut.value(), timeOut.unit().toChronoUnit())
                .multipliedBy(5)
                .dividedBy(6);
    }

    private void renewKit(int leases, Throwable failure) throws Throwable {
        try {
            test.kit().close(false);
        } catch (Exception | AssertionError problem) {
            // What disturbed the test disturbs its end, too.
            failure.addSuppressed(problem);
        }
        try {
            Metronome.awaitCalm(test.kit().lease());
            open(leases);
        } catch (Exception | AssertionError problem) {
            failure.addSuppressed(problem);
            throw failure;
        }
    }
}
