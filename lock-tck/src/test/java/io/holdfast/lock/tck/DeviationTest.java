package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.LockProvider;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a vendor declares that the provider breaks. */
class DeviationTest {

    private static final String ORDER = "rule75_waitingClaimsAreServedInOrder";

    private static LockHarness keepingNoOrder() {
        return new MemoryHarness() {
            @Override
            public LockProvider open() {
                return new DisorderlyProvider(super.open());
            }
        };
    }

    @Deviation(rule = "7.5", reason = "the store has no queue", link = "docs/backends/odd.md")
    static class OfDisorder extends CandidateTck.OfProvider {
        OfDisorder(Supplier<LockHarness> candidate) {
            super(candidate);
        }
    }

    @Deviation(rule = "5.1", reason = "the store cannot compare", link = "docs/backends/odd.md")
    static class OfDanger extends CandidateTck.OfProvider {
        OfDanger(Supplier<LockHarness> candidate) {
            super(candidate);
        }
    }

    @Deviation(rule = "7.55", reason = "none", link = "none")
    static class OfNoRule extends CandidateTck.OfProvider {
        OfNoRule(Supplier<LockHarness> candidate) {
            super(candidate);
        }
    }

    @Test
    void aDeclaredDeviationIsAbortedWithTheReasonAndDoesNotFail() {
        KitRun run = KitRun.ofRule(OfDisorder.class, ORDER, DeviationTest::keepingNoOrder);

        assertThat(run.failures()).isEmpty();
        assertThat(run.classFailures()).isEmpty();
        assertThat(run.aborts())
                .singleElement()
                .asString()
                .startsWith("rule 7.5: a declared deviation, because the store has no queue (docs/backends/odd.md): ");
    }

    @Test
    void aDeviationThatIsNoneFailsTheClass() {
        KitRun run = KitRun.ofRule(OfDisorder.class, ORDER, MemoryHarness::new);

        assertThat(run.classFailures())
                .singleElement()
                .asString()
                .isEqualTo("a deviation from rule 7.5 is declared, but the provider keeps it: remove the annotation");
    }

    @Test
    void nobodyMayDeviateFromASafetyRule() {
        KitRun run = KitRun.ofRule(OfDanger.class, ORDER, MemoryHarness::new);

        assertThat(run.classFailures())
                .singleElement()
                .asString()
                .startsWith(
                        "@Deviation(rule = \"5.1\"): this is a safety rule, and nobody may deviate from these: A release");
        assertThat(run.succeeded()).isZero();
    }

    @Test
    void aDeviationFromARuleThatDoesNotExistIsRefused() {
        KitRun run = KitRun.ofRule(OfNoRule.class, ORDER, MemoryHarness::new);

        assertThat(run.classFailures()).singleElement().asString().contains("there is no such rule in SPEC.md");
    }

    @Test
    void theOtherRulesAreTestedAsEver() {
        KitRun run = KitRun.ofRule(OfDisorder.class, "rule54_aReleasedLockIsFreeAtOnce", DeviationTest::keepingNoOrder);

        assertThat(run.succeeded()).isOne();
        assertThat(run.classFailures()).isEmpty();
    }
}
