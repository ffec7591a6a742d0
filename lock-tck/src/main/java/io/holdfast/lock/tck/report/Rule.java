package io.holdfast.lock.tck.report;

/**
 * A rule of {@code SPEC.md}.
 *
 * @param number such as {@code 3.2}
 * @param chapter the chapter's title
 * @param tag the capability that limits the rule, such as {@code STRICT}; empty if it binds every provider
 * @param text what must be true
 * @param intent what the rule is for
 * @param notTested why no test of the kit proves it; empty if one does
 * @param isOfSafety whether a provider that breaks it can let two holders in, or a stale write pass
 */
public record Rule(
        String number, String chapter, String tag, String text, String intent, String notTested, boolean isOfSafety) {}
