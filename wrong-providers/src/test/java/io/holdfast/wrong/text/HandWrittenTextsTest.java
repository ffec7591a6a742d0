package io.holdfast.wrong.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wrong texts that were written by hand change what they name, and leave a provider that works at first sight. */
class HandWrittenTextsTest {

    static Stream<HandWritten> constants() {
        return Stream.<HandWritten[]>of(
                        WrongRedisHashScript.values(),
                        WrongRedisStringScript.values(),
                        WrongPostgreSqlStatement.values(),
                        WrongH2Statement.values(),
                        WrongMariaDbStatement.values(),
                        LastRedisHashScript.values(),
                        LastRedisStringScript.values(),
                        LastPostgreSqlStatement.values(),
                        LastMariaDbStatement.values(),
                        LastH2Statement.values())
                .flatMap(Arrays::stream);
    }

    static List<WrongText> all() {
        return constants().map(HandWritten::text).toList();
    }

    @ParameterizedTest
    @MethodSource("all")
    void textOccursOnce(WrongText text) {
        assertThat(text.backend()).isNotNull();
    }

    @Test
    void eachHasAPrefixOrTableThatBeginsNoOther() {
        List<String> separate = all().stream().map(WrongText::separate).toList();
        assertThat(separate)
                .doesNotHaveDuplicates()
                .allSatisfy(each -> assertThat(each).matches("[a-z0-9_]{1,37}"));
    }

    /** A fault that shows at the first grant is none that a competent engineer leaves in. */
    @Tag("server")
    @ParameterizedTest
    @MethodSource("all")
    void firstGrantWorks(WrongText text) {
        String name = "lock-" + UUID.randomUUID();
        try (LockHarness harness = text.harnessApart();
                LockProvider provider = harness.open()) {
            TestClaim claim = TestClaim.once(provider, name);
            assertThat(claim.granted()).isTrue();
            boolean unused = claim.held();
            unused = claim.released();
            // One of them frees the lock a moment later.
            Waits.soon().until(() -> provider.holder(name).isEmpty());
        }
    }
}
