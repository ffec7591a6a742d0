package io.holdfast.wrong.text;

/** PostgreSQL with one more fault in a statement, or in the script that creates the table. */
enum LastPostgreSqlStatement implements HandWritten {
    /** A claim that waits leaves no mark in the row: the release sends no message. (7.2) */
    MARKS_NOTHING(ChangedFiles.POSTGRESQL_DIALECT, "SET waited = true", "SET waited = false"),

    /** A claim that could not mark the row, as its release was under way, sleeps until the end of the lease. (7.2) */
    SLEEPS_WITHOUT_A_MARK(ChangedFiles.POSTGRESQL_DIALECT, "THEN least({unmarked}, remaining)", "THEN remaining"),

    /** Each grant draws one number, and promises those that follow it: the next grant has one of them. (6.8) */
    RESERVED_TOKENS_NOT_COUNTED(
            ChangedFiles.POSTGRESQL_DIALECT, "(nextval('{tokens}') - 1) * {stock} + 1", "nextval('{tokens}')"),

    /**
     * A release frees what the owner holds: a late one of a logical owner frees the lock that its next claim was granted. (5.1,
     * 5.2)
     */
    RELEASE_BY_OWNER(
            ChangedFiles.POSTGRESQL_DIALECT,
            "DELETE FROM {table} WHERE name_hash = :name_hash AND claim_id = :claim_id",
            "DELETE FROM {table} WHERE name_hash = :name_hash AND owner_id = :owner_id"),

    /**
     * An owner that comes again after its lease has ended keeps its token: its late writes of before are not refused. (4.5, 6.1)
     */
    OWNER_THAT_RETURNS_KEEPS_ITS_TOKEN(
            ChangedFiles.POSTGRESQL_DIALECT,
            "token = CASE WHEN held.claim_id = excluded.claim_id AND held.expires_at > clock_timestamp()\n",
            "token = CASE WHEN held.owner_id = excluded.owner_id\n"),

    /**
     * A lock that is taken over counts its lease from the end of the dead holder's: it may be over before it begins. (1.1, 2.2)
     */
    LEASE_COUNTS_FROM_THE_DEAD_ONE(
            ChangedFiles.POSTGRESQL_DIALECT,
            "expires_at = excluded.expires_at\n",
            "expires_at = held.expires_at + :lease * interval '1 millisecond'\n"),

    /** All claims of a batch get its shortest lease: one short lock makes the long ones end before their deadlines. (2.2, 2.5) */
    BATCH_RENEWED_BY_ITS_SHORTEST_LEASE(
            ChangedFiles.POSTGRESQL_DIALECT,
            "clock.now + unlocked.lease * interval '1 millisecond'",
            "clock.now + (SELECT min(lease) FROM asked) * interval '1 millisecond'"),

    /** One row that another transaction has locked makes the renewal of the whole batch fail, until all of it is lost. (3.6) */
    LOCKED_ROW_FAILS_THE_BATCH(
            ChangedFiles.POSTGRESQL_DIALECT,
            "FOR NO KEY UPDATE OF held SKIP LOCKED",
            "FOR NO KEY UPDATE OF held NOWAIT"),

    /** A raise of tokens of which none was drawn yet does nothing: a new database that takes over begins at 1. (6.7) */
    NEW_SEQUENCE_IS_NOT_RAISED(
            ChangedFiles.POSTGRESQL_DIALECT,
            "SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END) * {stock} FROM {tokens}) < :above",
            "SELECT last_value * {stock} FROM {tokens} WHERE is_called) < :above"),

    /**
     * Tokens are never below the clock, of which the sequence knows nothing: two in a millisecond are one, and a store that takes
     * over is below. (6.1, 6.7)
     */
    TOKENS_RAISED_BY_THE_CLOCK(
            ChangedFiles.POSTGRESQL_DIALECT,
            "(nextval('{tokens}') - 1) * {stock} + 1",
            "greatest((nextval('{tokens}') - 1) * {stock} + 1, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint))"),

    /**
     * Names are unique for people, too: a long one that cannot be compressed has no room in the index, and its attempts fail.
     * (1.4)
     */
    NAMES_IN_A_UNIQUE_INDEX(
            ChangedFiles.POSTGRESQL_SCRIPT, "name        text NOT NULL,", "name        text NOT NULL UNIQUE,"),

    /** A lock that is taken over is shown on the machine of the holder that died. (9.8) */
    HOST_OF_THE_DEAD_HOLDER_STAYS(ChangedFiles.POSTGRESQL_DIALECT, "host = excluded.host,\n", "");

    private final String file;
    private final String before;
    private final String after;

    LastPostgreSqlStatement(String file, String before, String after) {
        this.file = file;
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(name(), TextStore.POSTGRESQL, new TextChange(file, before, after));
    }
}
