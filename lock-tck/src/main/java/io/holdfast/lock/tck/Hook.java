package io.holdfast.lock.tck;

import io.holdfast.lock.ApiStatus;
import java.util.function.Predicate;

/** What a rule may need of a harness beyond providers. */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public enum Hook {
    /** {@link LockHarness#remover()}. */
    REMOVER("remover()", harness -> harness.remover().isPresent()),
    /** {@link LockHarness#uri()}. */
    URI("uri()", harness -> harness.uri().isPresent());

    private final String method;
    private final Predicate<LockHarness> present;

    Hook(String method, Predicate<LockHarness> present) {
        this.method = method;
        this.present = present;
    }

    boolean isIn(LockHarness harness) {
        return present.test(harness);
    }

    String absence() {
        return "the harness has no " + method + ", which the rule needs";
    }
}
