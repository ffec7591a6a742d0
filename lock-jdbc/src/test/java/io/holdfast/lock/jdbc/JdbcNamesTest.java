package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Different names are different locks, whatever a database does with texts. */
@Tag("server")
class JdbcNamesTest {

    @Proves("1.4")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void differentNamesAreDifferentLocks(String url) {
        String name = UUID.randomUUID() + "é";
        String longest = "\u20ac".repeat(1_000 - name.length()) + name;
        List<String> names = List.of(
                name,
                name.toUpperCase(java.util.Locale.ROOT),
                name + " ",
                " " + name,
                name + "\0",
                name + "␀",
                name.replace("é", "e\u0301"),
                name.replace("é", "e"),
                longest,
                longest + " ",
                "\u20ac".repeat(1_023) + "a",
                "\u20ac".repeat(1_023) + "b",
                "\ud83d\ude00".repeat(512));
        try (JdbcLockProvider provider = Databases.at(url)) {
            List<TestClaim> holders =
                    names.stream().map(each -> TestClaim.once(provider, each)).toList();
            assertThat(holders)
                    .allSatisfy(holder -> assertThat(holder.granted()).isTrue());
            assertThat(names)
                    .allSatisfy(each ->
                            assertThat(TestClaim.once(provider, each).granted()).isFalse());
            assertThat(holders)
                    .allSatisfy(holder -> assertThat(holder.released()).isTrue());
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void holderIsReported(String url) {
        String name = "name-" + UUID.randomUUID();
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            long token = holder.token();
            assertThat(provider.holder(name)).hasValueSatisfying(shown -> {
                assertThat(shown.host()).contains(TestClaim.CLAIMANT.host());
                assertThat(shown.pid()).hasValue(TestClaim.CLAIMANT.pid());
                assertThat(shown.thread()).contains(TestClaim.CLAIMANT.thread());
                assertThat(shown.fencingToken().orElseThrow().value()).isEqualTo(token);
                assertThat(shown.since()).isPresent();
            });
            holder.released();
            assertThat(provider.holder(name)).isEmpty();
        }
    }
}
