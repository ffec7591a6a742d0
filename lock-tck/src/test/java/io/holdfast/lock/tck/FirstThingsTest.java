package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What cannot be done is named, with the rule that asks for it. */
@Execution(ExecutionMode.CONCURRENT)
class FirstThingsTest {

    private static String seen(LockHarness harness) {
        Optional<FirstThings.Defect> defect = FirstThings.defectOf(() -> harness);
        return defect.map(Object::toString).orElse("nothing");
    }

    private static LockProvider hangingInClose(LockProvider provider) {
        CountDownLatch never = new CountDownLatch(1);
        return (LockProvider) Proxy.newProxyInstance(
                LockProvider.class.getClassLoader(),
                new Class<?>[] {LockProvider.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        never.await();
                    }
                    return method.invoke(provider, arguments);
                });
    }

    /** Has claims that wait ask for three seconds before they are refused. */
    private static LockProvider asking(LockProvider provider) {
        return (LockProvider) Proxy.newProxyInstance(
                LockProvider.class.getClassLoader(),
                new Class<?>[] {LockProvider.class},
                (proxy, method, arguments) -> {
                    Object answer = method.invoke(provider, arguments);
                    return answer instanceof Claim claim && ((ClaimRequest) arguments[0]).intent() == Intent.WAIT
                            ? asking(claim)
                            : answer;
                });
    }

    private static Claim asking(Claim claim) {
        return (Claim) Proxy.newProxyInstance(
                Claim.class.getClassLoader(), new Class<?>[] {Claim.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(claim, arguments);
                    if (answer instanceof Attempt.Contended) {
                        Pace.pass(Duration.ofSeconds(3));
                    }
                    return answer;
                });
    }

    @Test
    void anAttemptThatWaitsForTheHolderIsNamed() {
        MemoryHarness memory = new MemoryHarness();

        assertThat(seen(() -> asking(memory.open())))
                .startsWith("rule 1.2: an attempt must not wait for the holder to leave");
    }

    @Test
    void nothingIsWrongWithAProviderThatWorks() {
        assertThat(seen(new MemoryHarness())).isEqualTo("nothing");
    }

    @Test
    @Timeout(60)
    void aCloseThatHangsBreaksTheRuleOfTheClose() {
        MemoryHarness memory = new MemoryHarness();

        assertThat(seen(() -> hangingInClose(memory.open())))
                .isEqualTo("rule 9.3: to close a provider has not ended after 15 seconds");
    }

    @Test
    void aHarnessThatCannotBeClosedIsNamed() {
        LockHarness harness = new MemoryHarness() {
            @Override
            public void close() {
                throw new IllegalStateException("no such directory");
            }
        };

        assertThat(seen(harness))
                .isEqualTo(
                        "the harness: to close the harness failed: java.lang.IllegalStateException: no such directory");
    }

    @Test
    void aCallThatTheStoreDoesNotAnswerOnceIsTriedAgain() {
        assertThat(seen(new Unanswered(2, new LockStoreException("no answer")))).isEqualTo("nothing");
    }

    @Test
    void aLockThatIsLostWhileAProviderOpensOnASlowMachineIsTriedAgain() {
        assertThat(seen(new Unanswered(2, new LockLostException("too late", LossCause.EXPIRED))))
                .isEqualTo("nothing");
    }

    @Test
    void aCallThatTheStoreNeverAnswersIsNamed() {
        assertThat(seen(new Unanswered(3, new LockStoreException("no answer"))))
                .isEqualTo("the harness: to open a provider failed: io.holdfast.lock.LockStoreException: no answer");
    }

    /** A store that leaves some calls without an answer, and then works. */
    private static final class Unanswered extends MemoryHarness {
        private final LockException failure;
        private int left;

        private Unanswered(int calls, LockException failure) {
            this.left = calls;
            this.failure = failure;
        }

        @Override
        public LockProvider open() {
            if (left > 0) {
                left--;
                throw failure;
            }
            return super.open();
        }

        /** The next try has the same store. */
        @Override
        public void close() {
            // It ends with the test.
        }
    }
}
