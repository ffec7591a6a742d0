package io.holdfast.wrong.text;

import io.holdfast.lock.tck.LockHarness;

/** PostgreSQL with one fault in a statement, or in the script that creates the table. */
enum WrongPostgreSqlStatement implements HandWritten {
    /**
     * Attempts do not queue up before they draw a token: of two at the same moment the later grant may have the smaller token.
     */
    ATTEMPTS_NOT_SERIALIZED(
            ChangedFiles.POSTGRESQL_DIALECT, "pg_advisory_xact_lock({advisory_class}, :advisory_id),\n", "\n"),

    /** The lock that should serialize attempts is shared by them, with the same effect. */
    ATTEMPTS_SHARE_THE_ADVISORY_LOCK(
            ChangedFiles.POSTGRESQL_DIALECT,
            "pg_advisory_xact_lock({advisory_class}, :advisory_id)",
            "pg_advisory_xact_lock_shared({advisory_class}, :advisory_id)"),

    /** Whether the lock is free is asked once, before the wait: two that come at the same moment are both granted it. */
    NO_SECOND_LOOK_AFTER_THE_WAIT(
            ChangedFiles.POSTGRESQL_DIALECT,
            "WHERE held.claim_id = excluded.claim_id OR held.expires_at <= clock_timestamp()\n",
            ""),

    /** A raise of the tokens does not wait for attempts that have drawn theirs: a grant after the raise is below it. */
    RAISE_DOES_NOT_WAIT_FOR_ATTEMPTS(
            ChangedFiles.POSTGRESQL_DIALECT, "pg_advisory_xact_lock_shared({raising_class}, 0),\n", "\n"),

    /** A raise sets the tokens to its number even if they are above it. */
    RAISE_LOWERS(ChangedFiles.POSTGRESQL_DIALECT, "FROM {tokens}) < :above", "FROM {tokens}) > 0"),

    /** The first token after a raise is the number itself, which resources have seen. */
    FIRST_TOKEN_AFTER_A_RAISE_IS_ITS_NUMBER(
            ChangedFiles.POSTGRESQL_DIALECT, "(:above - 1) / {stock} + 1)", "(:above - 1) / {stock} + 1, false)"),

    /** The highest token is that of the locks that are held: a store that takes over from an idle one begins at 0. */
    HIGHEST_TOKEN_OF_HELD_LOCKS(
            ChangedFiles.POSTGRESQL_DIALECT,
            "SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END) * {stock} FROM {tokens}",
            "SELECT coalesce(max(token), 0) FROM {table}"),

    /** Each session has tokens in stock: the next holder, by another connection, has a smaller one than its predecessor. */
    SEQUENCE_WITH_A_CACHE(ChangedFiles.POSTGRESQL_SCRIPT, "CACHE 1 NO CYCLE", "CACHE 20 NO CYCLE"),

    /** The sequence is of 32 bits and begins again: after two billion grants the oldest writer wins. */
    TOKENS_BEGIN_AGAIN_AFTER_32_BITS(
            ChangedFiles.POSTGRESQL_SCRIPT, "AS bigint CACHE 1 NO CYCLE", "AS integer CACHE 1 CYCLE"),

    /** The column of the token has 32 bits: once tokens were raised to a clock's microseconds, every attempt fails. */
    TOKEN_COLUMN_OF_32_BITS(
            ChangedFiles.POSTGRESQL_SCRIPT, "token       bigint NOT NULL", "token       integer NOT NULL"),

    /** Ends of leases are stored in hundredths of a second, rounded: half of the locks end before their holder's deadline. */
    ENDS_ROUNDED_TO_CENTISECONDS(
            ChangedFiles.POSTGRESQL_SCRIPT, "expires_at  timestamptz NOT NULL", "expires_at  timestamptz(2) NOT NULL"),

    /** Ends of leases have no time zone: sessions in different zones take each other's locks, or keep them for hours. */
    ENDS_WITHOUT_TIME_ZONE(
            ChangedFiles.POSTGRESQL_SCRIPT, "expires_at  timestamptz NOT NULL", "expires_at  timestamp NOT NULL") {
        /** With a URI: a session is in the time zone of its process. */
        @Override
        public LockHarness harness() {
            return text().harnessInSchema();
        }
    },

    /** Names have room for 1,000 characters: the longest 24 lengths that are allowed fail. */
    NAMES_OF_1000_CHARACTERS(
            ChangedFiles.POSTGRESQL_SCRIPT, "name        text NOT NULL", "name        varchar(1000) NOT NULL"),

    /** Owners have room for 64 characters: an attempt with a long owner id fails. */
    OWNERS_OF_64_CHARACTERS(
            ChangedFiles.POSTGRESQL_SCRIPT, "owner_id    text NOT NULL", "owner_id    varchar(64) NOT NULL"),

    /** Names of threads have room for 64 characters: an attempt by a thread with a long name fails. */
    THREADS_OF_64_CHARACTERS(
            ChangedFiles.POSTGRESQL_SCRIPT, "thread      text NOT NULL", "thread      varchar(64) NOT NULL"),

    /** The pattern characters of LIKE in a name stand for others: {@code stock_1} waits for {@code stock-1}. */
    NAMES_COMPARED_BY_LIKE(
            ChangedFiles.POSTGRESQL_DIALECT,
            "WHERE name_hash = :name_hash AND claim_id <> :claim_id\n",
            "WHERE (name_hash = :name_hash OR name LIKE :name) AND claim_id <> :claim_id\n"),

    /** Names that differ in trailing blanks exclude each other. */
    NAMES_COMPARED_WITHOUT_TRAILING_BLANKS(
            ChangedFiles.POSTGRESQL_DIALECT,
            "WHERE name_hash = :name_hash AND claim_id <> :claim_id\n",
            "WHERE rtrim(name) = rtrim(:name) AND claim_id <> :claim_id\n"),

    /** Names that look the same but are spelled with other characters, such as an e with an accent, exclude each other. */
    NAMES_COMPARED_IN_NORMAL_FORM(
            ChangedFiles.POSTGRESQL_DIALECT,
            "WHERE name_hash = :name_hash AND claim_id <> :claim_id\n",
            "WHERE normalize(name) = normalize(:name) AND claim_id <> :claim_id\n"),

    /** Leases are rounded up to seconds: the lock of a dead holder stays for up to a second more than it should. */
    LEASE_ROUNDED_UP_TO_SECONDS(
            ChangedFiles.POSTGRESQL_DIALECT,
            "clock_timestamp() + :lease * interval '1 millisecond'",
            "clock_timestamp() + ceil(:lease / 1000.0) * interval '1 second'"),

    /**
     * A claim that is granted again after its lease has ended gets its old token: the resource cannot tell the two grants apart.
     */
    OLD_TOKEN_FOR_A_SECOND_GRANT(
            ChangedFiles.POSTGRESQL_DIALECT,
            "token = CASE WHEN held.claim_id = excluded.claim_id AND held.expires_at > clock_timestamp()\n",
            "token = CASE WHEN held.claim_id = excluded.claim_id\n"),

    /** A repeated attempt keeps the end of the first, and is answered with the whole lease. */
    REPEATED_ATTEMPT_DOES_NOT_PROLONG(ChangedFiles.POSTGRESQL_DIALECT, "expires_at = excluded.expires_at\n", """
            expires_at = CASE WHEN held.claim_id = excluded.claim_id AND held.expires_at > clock_timestamp()
                                THEN held.expires_at ELSE excluded.expires_at END
            """),

    /** A repeated attempt tells the time of the first as the time of now: the next answer looks like a step of the clock. */
    REPEATED_ATTEMPT_TELLS_THE_OLD_TIME(
            ChangedFiles.POSTGRESQL_DIALECT,
            "RETURNING token, expires_at - :lease * interval '1 millisecond' AS began)",
            "RETURNING token, acquired_at AS began)"),

    /** A lock that is taken over from a dead holder goes on showing that holder to whoever asks. */
    OWNER_OF_THE_DEAD_HOLDER_STAYS(ChangedFiles.POSTGRESQL_DIALECT, "owner_id = excluded.owner_id,\n", "\n"),

    /** Of the told time only the part within the minute is left, so once a minute the clock seems to be set. */
    GRANT_TELLS_THE_TIME_WITHIN_THE_MINUTE(
            ChangedFiles.POSTGRESQL_DIALECT,
            "CAST(extract(epoch FROM began) * 1000000 AS bigint) AS micros",
            "CAST(extract(microseconds FROM began) AS bigint) AS micros"),

    /** Renewals tell milliseconds for microseconds: at the next grant the clock seems to leap, and held locks are given up. */
    RENEWAL_TELLS_MILLISECONDS(
            ChangedFiles.POSTGRESQL_DIALECT,
            "CAST(extract(epoch FROM now) * 1000000 AS bigint)",
            "CAST(extract(epoch FROM now) * 1000 AS bigint)"),

    /** A renewal finds its row by the name alone: a late holder prolongs the lease of its successor, which may be dead. */
    LATE_RENEWAL_PROLONGS_THE_SUCCESSOR(
            ChangedFiles.POSTGRESQL_DIALECT,
            "WHERE held.name_hash = asked.name_hash AND held.claim_id = asked.claim_id\n",
            "WHERE held.name_hash = asked.name_hash\n"),

    /** All claims of a batch get its longest lease: a client with one long lock keeps all its locks as long when it dies. */
    BATCH_RENEWED_BY_ITS_LONGEST_LEASE(
            ChangedFiles.POSTGRESQL_DIALECT,
            "clock.now + unlocked.lease *",
            "clock.now + (SELECT max(lease) FROM asked) *"),

    /** Leases of a renewal are of 32 bits: a claim of a month fails, and all claims that are renewed with it. */
    RENEWED_LEASES_OF_32_BITS(
            ChangedFiles.POSTGRESQL_DIALECT,
            "CAST(:leases AS bigint[])",
            "CAST(CAST(:leases AS bigint[]) AS integer[])"),

    /**
     * A renewal prolongs at most 20 claims of a batch, and is repeated five times at most: a client with more loses some of its
     * locks for no reason.
     */
    BATCH_OF_20(
            ChangedFiles.POSTGRESQL_DIALECT,
            "FOR NO KEY UPDATE OF held SKIP LOCKED",
            "LIMIT 20 FOR NO KEY UPDATE OF held SKIP LOCKED"),

    /** The notification has the name where listeners expect its hash: nobody is woken, and waiters wait for their poll. */
    NOTIFICATION_OF_ANOTHER_KEY(
            ChangedFiles.POSTGRESQL_DIALECT, "pg_notify('{channel}', :name_hash)", "pg_notify('{channel}', :name)"),

    /** The release of a lock that has ended answers yes: a holder that was too late takes its unprotected work for protected. */
    RELEASE_OF_AN_ENDED_LOCK_ANSWERS_YES(
            ChangedFiles.POSTGRESQL_DIALECT,
            "RETURNING expires_at > clock_timestamp() AS in_force",
            "RETURNING true AS in_force"),

    /**
     * Old records are found by the time of their grant: a lock that was held for over a minute is swept away under its holder.
     */
    SWEEP_BY_THE_TIME_OF_THE_GRANT(
            ChangedFiles.POSTGRESQL_DIALECT,
            "WHERE expires_at < clock_timestamp() - interval '1 minute'",
            "WHERE acquired_at < clock_timestamp() - interval '1 minute'"),

    /** Transactions are serializable: attempts at the same moment fail on each other instead of being refused. */
    SERIALIZABLE_TRANSACTIONS(
            "io/holdfast/lock/jdbc/JdbcSettings.class", "TRANSACTION_READ_COMMITTED", "TRANSACTION_SERIALIZABLE");

    private final String file;
    private final String before;
    private final String after;

    WrongPostgreSqlStatement(String file, String before, String after) {
        this.file = file;
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(name(), TextStore.POSTGRESQL, new TextChange(file, before, after));
    }
}
