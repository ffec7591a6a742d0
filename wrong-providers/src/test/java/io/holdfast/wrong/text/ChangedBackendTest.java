package io.holdfast.wrong.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The control of the mechanism: without a change, a backend that was loaded a second time is right. */
@Tag("server")
class ChangedBackendTest {

    private static final Duration SHORT = Duration.ofMillis(400);

    private final String name = "lock-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource(TextStore.class)
    void unchangedBackendAcquiresContendsAndReleases(TextStore store) {
        try (LockHarness harness = WrongText.none(store).harness();
                LockProvider first = harness.open();
                LockProvider second = harness.open()) {
            assertThat(first.getClass().getClassLoader()).isInstanceOf(ChangedBackend.class);
            TestClaim holder = TestClaim.once(first, name);
            long token = holder.token();
            TestClaim rival = TestClaim.once(second, name);
            assertThat(rival.granted()).isFalse();
            assertThat(second.holder(name)
                            .flatMap(LockHolder::fencingToken)
                            .orElseThrow()
                            .value())
                    .isEqualTo(token);
            assertThat(rival.released()).isFalse();
            assertThat(holder.released()).isTrue();
            assertThat(second.holder(name)).isEmpty();
            assertThat(rival.token()).isGreaterThan(token);
            assertThat(second.highestToken()).isGreaterThan(token);
        }
    }

    @ParameterizedTest
    @EnumSource(TextStore.class)
    void unchangedBackendRenewsAndExpires(TextStore store) {
        try (LockHarness harness = WrongText.none(store).harness();
                LockProvider provider = harness.open()) {
            TestClaim kept = TestClaim.once(provider, name);
            TestClaim other = TestClaim.once(provider, name + "-other");
            TestClaim dying = TestClaim.once(provider, name + "-dying", SHORT);
            assertThat(kept.granted()).isTrue();
            assertThat(other.granted()).isTrue();
            long token = dying.token();
            List<Renewal> renewals = provider.renewAll(List.of(kept.claim, other.claim, dying.claim));
            // On a slow machine the short lease may have ended before.
            assertThat(renewals).hasSize(3);
            assertThat(renewals.subList(0, 2)).hasOnlyElementsOfType(Renewal.Held.class);
            TestClaim next = TestClaim.once(provider, name + "-dying");
            Waits.soon().untilAsserted(() -> assertThat(next.tokenOrZero()).isGreaterThan(token));
            assertThat(dying.held()).isFalse();
            assertThat(dying.released()).isFalse();
            assertThat(next.held()).isTrue();
            harness.remover().orElseThrow().accept(name);
            assertThat(kept.held()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TextStore.class,
            names = {"HASH", "STRING", "POSTGRESQL"})
    void unchangedBackendWakesWaiters(TextStore store) {
        try (LockHarness harness = WrongText.none(store).harness();
                LockProvider first = harness.open();
                LockProvider second = harness.open()) {
            TestClaim holder = TestClaim.once(first, name);
            assertThat(holder.granted()).isTrue();
            StoreAssertions.assertReleaseWakes(second, holder, name);
        }
    }

    /** The mechanism has an effect: with a wrong script the same life of a lock goes wrong. */
    @ParameterizedTest
    @EnumSource(
            value = TextStore.class,
            names = {"STRING", "POSTGRESQL"})
    void changedBackendIsWrong(TextStore store) {
        TextChange change = store == TextStore.STRING
                ? new TextChange("io/holdfast/lock/redis/string-release.lua", "call('DEL', KEYS[1])", "")
                : new TextChange(
                        "io/holdfast/lock/jdbc/table/PostgreSqlDialect.class",
                        "name_hash = :name_hash AND claim_id = :claim_id\n    RETURNING",
                        "name_hash = :name_hash AND claim_id = :name_hash\n    RETURNING");
        try (LockHarness harness = new WrongText("ineffective", store, change).harness();
                LockProvider provider = harness.open()) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            boolean unused = holder.released();
            assertThat(provider.holder(name)).isPresent();
        }
    }
}
