package io.holdfast.wrong.text;

/** MariaDB with one fault in a statement, or in the script that creates the table. */
enum WrongMariaDbStatement implements HandWritten {
    /** The tokens of one name in 256 are not raised: its next grant has a token that resources have seen. */
    LAST_COUNTER_NOT_RAISED(ChangedFiles.MARIADB_DIALECT, "WHERE number < 255", "WHERE number < 254"),

    /** Counters are raised under keys in upper case, which no attempt uses: most names keep their tokens. */
    COUNTERS_RAISED_IN_UPPER_CASE(
            ChangedFiles.MARIADB_DIALECT, "LPAD(LOWER(HEX(number)), 2, '0')", "LPAD(HEX(number), 2, '0')"),

    /** The keys of the first sixteen counters have one digit when they are raised: the tokens of one name in sixteen stay. */
    SMALL_COUNTERS_RAISED_WITHOUT_A_ZERO(
            ChangedFiles.MARIADB_DIALECT, "LPAD(LOWER(HEX(number)), 2, '0')", "LOWER(HEX(number))"),

    /** The highest token is that of the rows of locks: a store that takes over from an idle one begins at 0. */
    HIGHEST_TOKEN_OF_HELD_LOCKS(
            ChangedFiles.MARIADB_DIALECT, "WHERE name_hash LIKE '#%'", "WHERE name_hash NOT LIKE '#%'"),

    /** A renewal counts from the last full second: a lock that is renewed in time ends before its holder's deadline. */
    RENEWAL_COUNTS_FROM_THE_FULL_SECOND(
            ChangedFiles.MARIADB_DIALECT,
            "SET held.expires_at = UTC_TIMESTAMP(6)\n",
            "SET held.expires_at = UTC_TIMESTAMP()\n"),

    /** Ends of leases are stored in hundredths of a second, cut off: locks end before their holder's deadline. */
    ENDS_CUT_TO_CENTISECONDS(
            ChangedFiles.MARIADB_SCRIPT, "expires_at  DATETIME(6) NOT NULL", "expires_at  DATETIME(2) NOT NULL"),

    /** Ids of claims are compared without case: the claim {@code A} is granted what the claim {@code a} holds. */
    CLAIMS_COMPARED_WITHOUT_CASE(
            ChangedFiles.MARIADB_SCRIPT,
            "claim_id    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin",
            "claim_id    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_general_ci"),

    /** All claims of a batch get its longest lease: a client with one long lock keeps all its locks as long when it dies. */
    BATCH_RENEWED_BY_ITS_LONGEST_LEASE(
            ChangedFiles.MARIADB_DIALECT,
            "INTERVAL ELT(FIELD(held.claim_id, :claim_ids[]), :leases[]) * 1000",
            "INTERVAL GREATEST(0, :leases[]) * 1000"),

    /** A renewal prolongs at most 50 claims at a time: of a full batch some are lost although the database is idle. */
    BATCH_OF_50(
            ChangedFiles.MARIADB_DIALECT,
            "AND claim_id IN (:claim_ids[])\n        LIMIT 1000 FOR UPDATE SKIP LOCKED",
            "AND claim_id IN (:claim_ids[])\n        LIMIT 50 FOR UPDATE SKIP LOCKED"),

    /** Names have the size of an index key: those of more than 768 characters fail. */
    NAMES_OF_768_CHARACTERS(
            ChangedFiles.MARIADB_SCRIPT, "name        VARCHAR(1024) NOT NULL", "name        VARCHAR(768) NOT NULL");

    private final String file;
    private final String before;
    private final String after;

    WrongMariaDbStatement(String file, String before, String after) {
        this.file = file;
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(name(), TextStore.MARIADB, new TextChange(file, before, after));
    }
}
