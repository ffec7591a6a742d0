package io.holdfast.wrong.text;

/** H2 with one fault in a statement, or in the script that creates the table. */
enum WrongH2Statement implements HandWritten {
    /**
     * The row is taken over without a second look: two that come at the same moment are both granted a lock whose holder has
     * died.
     */
    NO_SECOND_LOOK_AT_THE_ROW(
            ChangedFiles.H2_DIALECT,
            "WHEN MATCHED AND (held.claim_id = :claim_id OR held.expires_at <= CURRENT_TIMESTAMP)\n",
            "WHEN MATCHED\n"),

    /** Leases are rounded down to seconds but for the first: one of 1,999 ms ends after 1,000. */
    LEASE_ROUNDED_DOWN_TO_SECONDS(
            ChangedFiles.H2_DIALECT,
            "        CURRENT_TIMESTAMP, DATEADD(MILLISECOND, :lease, CURRENT_TIMESTAMP)))\n",
            "        CURRENT_TIMESTAMP, DATEADD(SECOND, GREATEST(1, CAST(:lease AS BIGINT) / 1000), CURRENT_TIMESTAMP)))\n"),

    /** A lock that is taken over from a dead holder counts its lease in 32 bits: one of 25 to 49 days ends before it begins. */
    LEASE_OF_A_TAKEN_OVER_LOCK_IN_32_BITS(
            ChangedFiles.H2_DIALECT,
            " expires_at = DATEADD(MILLISECOND, :lease, CURRENT_TIMESTAMP)\n",
            " expires_at = DATEADD(MILLISECOND, MOD(CAST(:lease AS BIGINT) + 2147483648, 4294967296) - 2147483648, CURRENT_TIMESTAMP)\n"),

    /** Ends of leases are stored in hundredths of a second, rounded: half of the locks end before their holder's deadline. */
    ENDS_ROUNDED_TO_CENTISECONDS(
            ChangedFiles.H2_SCRIPT,
            "expires_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL",
            "expires_at  TIMESTAMP(2) WITH TIME ZONE NOT NULL"),

    /** Ids of claims are compared without case: the claim {@code A} is granted what the claim {@code a} holds. */
    CLAIMS_COMPARED_WITHOUT_CASE(
            ChangedFiles.H2_SCRIPT, "claim_id    VARCHAR(64)", "claim_id    VARCHAR_IGNORECASE(64)"),

    /** Names have room for 255 characters: longer ones fail. */
    NAMES_OF_255_CHARACTERS(
            ChangedFiles.H2_SCRIPT, "name        VARCHAR NOT NULL", "name        VARCHAR(255) NOT NULL"),

    /** Names that differ in case exclude each other. */
    NAMES_COMPARED_WITHOUT_CASE(
            ChangedFiles.H2_DIALECT,
            "WHERE name_hash = :name_hash AND claim_id <> :claim_id\n",
            "WHERE UPPER(name) = UPPER(:name) AND claim_id <> :claim_id\n"),

    /** Only the first 255 characters of names are compared: longer ones that begin alike exclude each other. */
    NAMES_COMPARED_BY_255_CHARACTERS(
            ChangedFiles.H2_DIALECT,
            "WHERE name_hash = :name_hash AND claim_id <> :claim_id\n",
            "WHERE LEFT(name, 255) = LEFT(:name, 255) AND claim_id <> :claim_id\n"),

    /** A renewal finds its row by the name alone: a late holder prolongs the lease of its successor, which may be dead. */
    LATE_RENEWAL_PROLONGS_THE_SUCCESSOR(ChangedFiles.H2_DIALECT, """
            AND unlocked.claim_id = asked.claim_id
                        FOR UPDATE SKIP LOCKED)) AS renewed
                ON held.name_hash = renewed.name_hash
                WHEN MATCHED AND held.claim_id = renewed.claim_id AND""", """
            AND TRUE
                        FOR UPDATE SKIP LOCKED)) AS renewed
                ON held.name_hash = renewed.name_hash
                WHEN MATCHED AND"""),

    /** All claims of a batch get its shortest lease: a long lock that is renewed beside a short one ends before its deadline. */
    BATCH_RENEWED_BY_ITS_SHORTEST_LEASE(
            ChangedFiles.H2_DIALECT,
            "DATEADD(MILLISECOND, renewed.lease, CURRENT_TIMESTAMP)",
            "DATEADD(MILLISECOND, (SELECT MIN(l) FROM UNNEST(CAST(:leases AS BIGINT ARRAY)) AS every (l)), CURRENT_TIMESTAMP)"),

    /** A renewal adds its lease to the end instead of counting from now: a dead holder blocks for as long as it has renewed. */
    RENEWAL_ADDS_A_LEASE_TO_THE_END(
            ChangedFiles.H2_DIALECT,
            "DATEADD(MILLISECOND, renewed.lease, CURRENT_TIMESTAMP)",
            "DATEADD(MILLISECOND, renewed.lease, held.expires_at)"),

    /** A raise sets the tokens to its number even if they are above it. */
    RAISE_LOWERS(ChangedFiles.H2_DIALECT, "SET token = GREATEST(token, :above)", "SET token = CAST(:above AS BIGINT)"),

    /** Tokens are the clock alone, which raising them does not reach. */
    TOKEN_OF_THE_CLOCK_ALONE(
            ChangedFiles.H2_DIALECT,
            "token = GREATEST(\n            token + 1, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT))",
            "token = CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)"),

    /** The highest token is that of the locks that are held: a store that takes over from an idle one begins at 0. */
    HIGHEST_TOKEN_OF_HELD_LOCKS(ChangedFiles.H2_DIALECT, """
            SELECT CASE WHEN token = 0 THEN 0
                ELSE GREATEST(token, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)) END
            FROM {tokens} WHERE id = 1
            """, "SELECT COALESCE(MAX(token), 0) FROM {table}"),

    /**
     * A claim that is granted again after its lease has ended gets its old token: the resource cannot tell the two grants apart.
     */
    OLD_TOKEN_FOR_A_SECOND_GRANT(
            ChangedFiles.H2_DIALECT,
            "token = CASE WHEN held.claim_id = :claim_id AND held.expires_at > CURRENT_TIMESTAMP\n",
            "token = CASE WHEN held.claim_id = :claim_id\n"),

    /** A repeated attempt keeps the end of the first, and is answered with the whole lease. */
    REPEATED_ATTEMPT_DOES_NOT_PROLONG(
            ChangedFiles.H2_DIALECT,
            " expires_at = DATEADD(MILLISECOND, :lease, CURRENT_TIMESTAMP)\n",
            " expires_at = CASE WHEN held.claim_id = :claim_id AND held.expires_at > CURRENT_TIMESTAMP"
                    + " THEN held.expires_at ELSE DATEADD(MILLISECOND, :lease, CURRENT_TIMESTAMP) END\n"),

    /** The told time counts from the grant of the lock: a renewal after an hour tells the time of an hour ago. */
    RENEWAL_TELLS_THE_TIME_OF_THE_GRANT(
            ChangedFiles.H2_DIALECT,
            "SELECT claim_id, TRUE AS prolonged, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT) AS micros\n",
            "SELECT claim_id, TRUE AS prolonged, CAST(EXTRACT(EPOCH FROM acquired_at) * 1000000 AS BIGINT) AS micros\n"),

    /** Transactions are serializable: attempts at the same moment fail on each other instead of being refused. */
    SERIALIZABLE_TRANSACTIONS(
            "io/holdfast/lock/jdbc/JdbcSettings.class", "TRANSACTION_READ_COMMITTED", "TRANSACTION_SERIALIZABLE");

    private final String file;
    private final String before;
    private final String after;

    WrongH2Statement(String file, String before, String after) {
        this.file = file;
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(name(), TextStore.H2, new TextChange(file, before, after));
    }
}
