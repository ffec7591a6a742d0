package io.holdfast.wrong.text;

import java.math.BigDecimal;
import java.util.stream.Stream;

/** The mutants of a number: 0, 1, and one more. */
final class NumberEdits {

    private NumberEdits() {}

    static Stream<TextEdit> of(Token number) {
        String more = new BigDecimal(number.text()).add(BigDecimal.ONE).toPlainString();
        return Stream.of("0", "1", more)
                .distinct()
                .filter(other -> !number.is(other))
                .map(other -> TextEdit.replacing(number, other));
    }
}
