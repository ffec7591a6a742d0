package io.holdfast.wrong.text;

/** Redis with one wrong line in a script of the layout {@code string}, or in one that both layouts use. */
enum WrongRedisStringScript implements HandWritten {
    /**
     * The expiry is in seconds, rounded up: the lock of a dead holder stays for up to a second more than the stated tolerance.
     */
    LEASE_ROUNDED_UP_TO_SECONDS(
            "string-acquire.lua",
            "'NX', 'PX', ARGV[2])",
            "'NX', 'EX', string.format('%d', math.ceil(tonumber(ARGV[2]) / 1000)))"),

    /** The expiry is in seconds, rounded down but for the first: a lease of 1,999 ms ends after 1,000. */
    LEASE_ROUNDED_DOWN_TO_SECONDS(
            "string-acquire.lua",
            "'NX', 'PX', ARGV[2])",
            "'NX', 'EX', string.format('%d', math.max(1, math.floor(tonumber(ARGV[2]) / 1000))))"),

    /** Milliseconds are capped at 2^31: the lock of a job with a lease of months is free after 25 days. */
    LONG_LEASES_END_AFTER_25_DAYS(
            "string-acquire.lua",
            "'NX', 'PX', ARGV[2])",
            "'NX', 'PX', string.format('%d', math.min(tonumber(ARGV[2]), 2147483647)))"),

    /** An attempt that is repeated late is answered with the whole lease, but does not prolong the record. */
    REPEATED_ATTEMPT_DOES_NOT_PROLONG("string-acquire.lua", """
                if call('PTTL', KEYS[1]) <= tonumber(ARGV[2]) then
                    call('PEXPIRE', KEYS[1], ARGV[2])
                end
            """, ""),

    /** A repeated attempt draws another token than the first: the resource takes the holder for its own predecessor. */
    REPEATED_ATTEMPT_GETS_A_NEW_TOKEN(
            "string-acquire.lua",
            "return told(token, 1, server_micros(), 1)",
            "return told(next_token(KEYS[2], server_micros()), 1, server_micros(), 1)"),

    /** A claim is found by the beginning of its id: claim {@code 1} renews and releases the lock of claim {@code 12}. */
    CLAIM_FOUND_BY_PREFIX(
            "string.lua", "string.sub(value, 1, #claim + 1) == claim .. ' '", "string.sub(value, 1, #claim) == claim"),

    /** A claim is found anywhere in the record: also where an owner has the id of a claim in its name. */
    CLAIM_FOUND_ANYWHERE_IN_THE_RECORD(
            "string.lua",
            "string.sub(value, 1, #claim + 1) == claim .. ' '",
            "string.find(value, claim, 1, true) ~= nil"),

    /** Ids of claims are compared without case: the claim {@code A} is granted what the claim {@code a} holds. */
    CLAIMS_COMPARED_WITHOUT_CASE(
            "string.lua",
            "string.sub(value, 1, #claim + 1) == claim .. ' '",
            "string.lower(string.sub(value, 1, #claim + 1)) == string.lower(claim) .. ' '"),

    /**
     * An early renewal saves its write and answers yes: if no other follows, somebody is granted the lock before the holder's
     * deadline.
     */
    RENEWAL_SKIPPED_WHILE_MORE_THAN_HALF_IS_LEFT(
            "string-renew.lua",
            "if call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then",
            "if call('PTTL', KEYS[1]) < tonumber(ARGV[2]) / 2 then"),

    /** The renewal rounds its lease down to seconds, but for the first one: a held lock ends before its holder's deadline. */
    RENEWAL_ROUNDED_DOWN_TO_SECONDS(
            "string-renew.lua",
            "    call('PEXPIRE', KEYS[1], ARGV[2])",
            "    call('EXPIRE', KEYS[1], math.max(1, math.floor(tonumber(ARGV[2]) / 1000)))"),

    /** The renewal tells no time while the grant does: the client compares grants with grants that are hours old. */
    RENEWAL_TELLS_NO_TIME("string-renew.lua", "return server_micros()", "return 1"),

    /** Many renewals at once compare no ids: a holder that is too late prolongs the lock of the next one. */
    RENEWALS_OF_MANY_COMPARE_NOTHING(
            "string-renew-all.lua", "and value and string.sub(value, 1, #claim) == claim", "and value"),

    /** Many renewals at once are answered with yes, and renewed only by those that come alone. */
    RENEWALS_OF_MANY_PROLONG_NOTHING(
            "string-renew-all.lua", " and run('PEXPIRE', key, ARGV[3 * i - 1], 'GT') == 1", ""),

    /** Grants tell the server's time rounded to seconds upward: held locks are given up for a step of the clock that was none. */
    GRANT_TELLS_THE_NEXT_SECOND(
            "string-acquire.lua",
            "return told(token, tokens, now_micros, 0)",
            "return told(token, tokens, math.ceil(now_micros / 1000000) * 1000000, 0)"),

    /** A release lets the key expire within a millisecond: who is woken by the message is refused once more. */
    RELEASE_LEAVES_THE_KEY_FOR_A_MILLISECOND(
            "string-release.lua", "call('DEL', KEYS[1])", "call('PEXPIRE', KEYS[1], 1)"),

    /** Channel and message are mixed up: the message of a release reaches nobody, and waiters wait for their poll. */
    CHANNEL_AND_MESSAGE_SWAPPED(
            "string-release.lua", "publish(ARGV[3], ARGV[2], ARGV[1])", "publish(ARGV[3], ARGV[1], ARGV[2])"),

    /** The release of a lock that has ended answers yes: a holder that was too late takes its unprotected work for protected. */
    RELEASE_OF_A_LOST_LOCK_ANSWERS_YES("string-release.lua", """
            if not belongs_to(read('GET', KEYS[1]), ARGV[1]) then
                return 0
            """, """
            if not belongs_to(read('GET', KEYS[1]), ARGV[1]) then
                return redis.call('EXISTS', KEYS[1]) == 0 and 1 or 0
            """),

    /** Raising the tokens to a smaller number lowers them: an operator who repeats yesterday's command lets old holders in. */
    RAISE_LOWERS("counter.lua", "last = math.max(last, tonumber(ARGV[1]))", "last = tonumber(ARGV[1])"),

    /** Tokens are raised to whole thousands, rounded down: the next token is one that resources have seen. */
    RAISE_ROUNDS_DOWN(
            "counter.lua",
            "last = math.max(last, tonumber(ARGV[1]))",
            "last = math.max(last, math.floor(tonumber(ARGV[1]) / 1000) * 1000)"),

    /**
     * The highest token is told by the clock alone: after a raise, the store that takes over begins below what resources have
     * seen.
     */
    HIGHEST_TOKEN_IS_THE_CLOCK("counter.lua", "math.max(last, server_micros())", "server_micros()"),

    /** The next token is the number on the counter: the first grant after a raise has the token that was to be exceeded. */
    TOKEN_OF_THE_COUNTER_ITSELF(
            "fence.lua", "math.max(last + 1, now_micros, ahead)", "math.max(last, now_micros, ahead)"),

    /** Tokens are the clock alone, which raising them does not reach. */
    TOKEN_OF_THE_CLOCK_ALONE("fence.lua", "math.max(last + 1, now_micros, ahead)", "math.max(now_micros, ahead)"),

    /** Numbers from 2^51 on count as unreadable: tokens can be raised to there, and nobody is granted a lock any more. */
    TOKENS_ONLY_BELOW_TWO_TO_THE_51ST("common.lua", "2 ^ 53", "2 ^ 51"),

    /** Numbers count as exact up to 2^63: above 2^53 two grants in a row have the same token. */
    TOKENS_ABOVE_TWO_TO_THE_53RD_REPEAT("common.lua", "2 ^ 53", "2 ^ 63"),

    /**
     * Blanks of owners are not encoded: the record of {@code nightly report} is taken for a foreign one, and its second attempt
     * fails.
     */
    BLANKS_NOT_ENCODED("RecordArguments.class", "-._~", "-._~ ");

    private final String script;
    private final String before;
    private final String after;

    WrongRedisStringScript(String script, String before, String after) {
        this.script = script;
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(
                name(), TextStore.STRING, new TextChange(ChangedFiles.REDIS_SCRIPTS + script, before, after));
    }
}
