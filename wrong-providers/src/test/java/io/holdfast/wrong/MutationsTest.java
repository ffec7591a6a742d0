package io.holdfast.wrong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.wrong.text.TextMutations;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which mutants the command runs. */
class MutationsTest {

    private static final List<Integer> ALL = IntStream.range(0, 25).boxed().toList();

    @Test
    void sharesAreTheWholeTogether() {
        List<Integer> together = IntStream.rangeClosed(1, 10)
                .mapToObj(number -> MutantShare.parse(number + "/10").orElseThrow())
                .flatMap(share -> share.of(ALL).stream())
                .toList();

        assertThat(together).containsExactlyInAnyOrderElementsOf(ALL);
        assertThat(MutantShare.parse("10").orElseThrow().of(ALL)).containsExactly(0, 10, 20);
        assertThat(MutantShare.parse("1/1").orElseThrow().of(ALL)).isEqualTo(ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "11/10", "0/10", "-1", "a tenth", "1/", "/10", "123456"})
    void anythingElseIsNoShare(String text) {
        assertThat(MutantShare.parse(text)).isEmpty();
    }

    @Test
    void eachJudgementIsOfAMutantThatThereIs() {
        assertThat(JudgedMutants.read().reasons())
                .isNotEmpty()
                .allSatisfy((place, reason) -> assertThat(reason).matches("(equivalent|harmless|unseen): .+"));
        assertThat(TextMutations.reachable().map(TextMutations::place).toList())
                .containsAll(JudgedMutants.read().reasons().keySet());
    }

    @Test
    void judgementWithoutAReasonIsRefused() {
        assertThat(JudgedMutants.of("a.lua | < -> <= | if a < b | harmless: a").reason("a.lua | < -> <= | if a < b"))
                .contains("harmless: a");
        assertThatThrownBy(() -> JudgedMutants.of("a.lua")).hasMessageContaining("'a.lua' has no reason");
        assertThatThrownBy(() -> JudgedMutants.of("a | b | c | d\na | b | c | e"))
                .hasMessageContaining("twice");
    }
}
