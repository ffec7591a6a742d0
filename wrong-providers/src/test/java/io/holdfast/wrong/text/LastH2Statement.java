package io.holdfast.wrong.text;

/** H2 with one more fault in a statement. */
enum LastH2Statement implements HandWritten {
    /** Tokens are reserved upwards from the highest one, which is not raised by as much. (6.8) */
    RESERVED_TOKENS_NOT_COUNTED(
            ":claim_id, candidate.last - :tokens + 1, :version", ":claim_id, candidate.last, :version"),

    /**
     * The sweep looks a minute ahead instead of back: now and then a release frees all locks that end within the minute. (1.1,
     * 2.2)
     */
    SWEEP_LOOKS_AHEAD("DATEADD(MINUTE, -1, CURRENT_TIMESTAMP)", "DATEADD(MINUTE, 1, CURRENT_TIMESTAMP)"),

    /** Renewals count in 32 bits: one lease of over 25 days makes the renewal of the whole batch fail. (3.4, 3.6) */
    RENEWED_LEASE_IN_32_BITS(
            "DATEADD(MILLISECOND, renewed.lease, CURRENT_TIMESTAMP)",
            "DATEADD(MILLISECOND, CAST(renewed.lease AS INTEGER), CURRENT_TIMESTAMP)"),

    /**
     * A grant tells the end of its lease for the time: one of a long lease makes the client give up its other locks. (3.4, 8.6)
     */
    GRANT_TELLS_THE_END_OF_ITS_LEASE(
            "AS remaining,\n    CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP)",
            "AS remaining,\n    CAST(EXTRACT(EPOCH FROM expires_at)");

    private final String before;
    private final String after;

    LastH2Statement(String before, String after) {
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(
                name(), TextStore.H2, new TextChange("io/holdfast/lock/jdbc/table/H2Dialect.class", before, after));
    }
}
