package io.holdfast.wrong.text;

/** MariaDB with one more fault in a statement, or in the script that creates the table. */
enum LastMariaDbStatement implements HandWritten {
    /** The counter has the first of the tokens that a grant promises: the next grant has the second. (6.8) */
    RESERVED_TOKENS_NOT_COUNTED(
            ChangedFiles.MARIADB_DIALECT, "UTC_TIMESTAMP(6)))) + :tokens - 1, token)", "UTC_TIMESTAMP(6)))), token)"),

    /**
     * A renewal does not mark its rows: while one row of a batch is locked, no holder of the others learns of its renewal. (3.6)
     */
    RENEWED_ROWS_NOT_MARKED(
            ChangedFiles.MARIADB_DIALECT, "held.version = :version\n", "held.version = held.version + 1\n"),

    /** Claims whose rows were locked are told as renewed: they end before their holders expect. (2.5, 3.3) */
    LOCKED_CLAIMS_TOLD_AS_RENEWED(
            ChangedFiles.MARIADB_DIALECT,
            "SELECT claim_id, version = :version, NULL FROM",
            "SELECT claim_id, TRUE, NULL FROM"),

    /** Counters that a raise has added are swept away a minute later: the tokens fall back below its number. (6.3, 6.7) */
    ADDED_COUNTERS_ARE_SWEPT_AWAY(
            ChangedFiles.MARIADB_DIALECT,
            "UTC_TIMESTAMP(6), '9999-12-31'\nFROM counters",
            "UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)\nFROM counters"),

    /** Texts have at most three bytes for a character: a lock with an emoji in its name fails in the database. (1.4) */
    CHARACTERS_OF_THREE_BYTES(
            ChangedFiles.MARIADB_SCRIPT,
            "DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            "DEFAULT CHARACTER SET utf8mb3 COLLATE utf8mb3_bin");

    private final String file;
    private final String before;
    private final String after;

    LastMariaDbStatement(String file, String before, String after) {
        this.file = file;
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(name(), TextStore.MARIADB, new TextChange(file, before, after));
    }
}
