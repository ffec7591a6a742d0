package io.holdfast.lock.tck;

/** What a rule may need of a harness beyond providers. */
public enum Hook {
    /** {@link LockHarness#remover()}. */
    REMOVER("remover()"),
    /** {@link LockHarness#uri()}. */
    URI("uri()"),
    /** {@link LockHarness#outage()}. */
    OUTAGE("outage()");

    private final String method;

    Hook(String method) {
        this.method = method;
    }

    boolean isIn(LockHarness harness) {
        return switch (this) {
            case REMOVER -> harness.remover().isPresent();
            case URI -> harness.uri().isPresent();
            case OUTAGE -> harness.outage().isPresent();
        };
    }

    String absence() {
        return "the harness has no " + method + ", which the rule needs";
    }
}
