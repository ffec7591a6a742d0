package io.holdfast.wrong.text;

/** Redis with one wrong line in a script of the layout {@code hash}. */
enum WrongRedisHashScript implements HandWritten {
    /**
     * An early renewal saves its write and answers yes: if no other follows, somebody is granted the lock before the holder's
     * deadline.
     */
    RENEWAL_SKIPPED_WHILE_MORE_THAN_HALF_IS_LEFT(
            "hash-renew.lua", "local expiry = math.max(lock.claims[mine], now + tonumber(ARGV[2]))", """
            if lock.claims[mine] - now > tonumber(ARGV[2]) / 2 then
                return now_micros
            end
            local expiry = math.max(lock.claims[mine], now + tonumber(ARGV[2]))"""),

    /**
     * Each renewal adds a lease to the end instead of counting from now: after an hour of renewals a dead holder blocks for
     * hours.
     */
    RENEWAL_ADDS_A_LEASE_TO_THE_END(
            "hash-renew.lua",
            "math.max(lock.claims[mine], now + tonumber(ARGV[2]))",
            "lock.claims[mine] + tonumber(ARGV[2])"),

    /** A renewal prolongs all claims in the record: the claim of a process that died lives for as long as its owner's others. */
    RENEWAL_PROLONGS_ALL_CLAIMS_OF_THE_OWNER("hash-renew.lua", "call('HSET', KEYS[1], mine, digits(expiry))", """
            for claim in pairs(lock.claims) do
                call('HSET', KEYS[1], claim, digits(expiry))
            end"""),

    /**
     * Many renewals at once prolong the key and not the claims in it: others are granted the lock before the holders' deadlines.
     */
    RENEWALS_OF_MANY_PROLONG_THE_KEY_ALONE(
            "hash-renew-all.lua", "run('HINCRBY', key, mine, digits(expiry - known))", "expiry"),

    /**
     * The key expires with the claim that was renewed last, so a short lease of an inner block ends the outer block's long one.
     */
    RENEWAL_OF_A_SHORT_CLAIM_CUTS_A_LONG_ONE(
            "hash-renew.lua", "expire_at(KEYS[1], math.max(expiry, lock.latest))", "expire_at(KEYS[1], expiry)"),

    /** As above, when the inner block begins: the outer block loses the lock when the inner lease ends. */
    SECOND_CLAIM_CUTS_THE_FIRST("hash-acquire.lua", "digits(math.max(expiry, lock.latest))", "digits(expiry)"),

    /** The key keeps the expiry of the first claim: a second one that begins later loses the lock in the middle of its lease. */
    SECOND_CLAIM_ENDS_WITH_THE_FIRST(
            "hash-acquire.lua", "digits(math.max(expiry, lock.latest))", "digits(held and lock.latest or expiry)"),

    /** The second claim of an owner is granted a token of its own, so the resource refuses the writes of the outer block. */
    SECOND_CLAIM_GETS_A_NEW_TOKEN(
            "hash-acquire.lua",
            "return told(tonumber(lock.record.token), 1,",
            "return told(lock.claims[mine] and tonumber(lock.record.token) or next_token(KEYS[2], now_micros), 1,"),

    /** An attempt that is repeated late is answered with the whole lease, but the record ends with the first lease. */
    REPEATED_ATTEMPT_KEEPS_THE_FIRST_END(
            "hash-acquire.lua", "math.max(now + lease, lock.claims[mine] or 0)", "lock.claims[mine] or now + lease"),

    /** Owners are compared by the length of the new one: {@code worker-1} enters while {@code worker-10} holds the lock. */
    OWNER_ADMITTED_BY_PREFIX(
            "hash-acquire.lua",
            "lock.record.owner ~= ARGV[3]",
            "string.sub(lock.record.owner, 1, #ARGV[3]) ~= ARGV[3]"),

    /** Owners that differ in case enter together, such as {@code Order:aB} and {@code Order:Ab}. */
    OWNERS_COMPARED_WITHOUT_CASE(
            "hash-acquire.lua",
            "lock.record.owner ~= ARGV[3]",
            "string.lower(lock.record.owner) ~= string.lower(ARGV[3])"),

    /** Only the first 64 bytes of an owner count: two long owners of one tenant enter together. */
    OWNERS_COMPARED_BY_64_BYTES(
            "hash-acquire.lua",
            "lock.record.owner ~= ARGV[3]",
            "string.sub(lock.record.owner, 1, 64) ~= string.sub(ARGV[3], 1, 64)"),

    /** Claims that have ended still count: their holder can renew them, and the release of the last one wakes nobody. */
    ENDED_CLAIMS_COUNT_WHILE_THE_KEY_LIVES("hash.lua", """
                    elseif expiry < now then
                        table.insert(lock.ended, field)
            """, ""),

    /** Claims end 5 ms before their time, "to be safe": the lock is granted to the next one while its holder counts on it. */
    CLAIMS_END_FIVE_MILLISECONDS_EARLY("hash.lua", "elseif expiry < now then", "elseif expiry - 5 < now then"),

    /**
     * The microseconds are appended without their leading zeros: in the first tenth of each second a granted lock vanishes at
     * once.
     */
    MICROSECONDS_WITHOUT_LEADING_ZEROS("common.lua", "time[1] * 1000000 + time[2]", "tonumber(time[1] .. time[2])"),

    /** A lease passes through 32 bits: one of 25 to 49 days is granted, and its record is gone at once. */
    LEASE_THROUGH_32_BITS("hash-acquire.lua", "local lease = tonumber(ARGV[2])", "local lease = bit.tobit(ARGV[2])"),

    /** The lease is rounded down to hundredths of a second, while the holder counts on all of it. */
    LEASE_ROUNDED_DOWN_TO_CENTISECONDS(
            "hash-acquire.lua",
            "local lease = tonumber(ARGV[2])",
            "local lease = math.floor(tonumber(ARGV[2]) / 10) * 10"),

    /** A refused waiter is told an instant for a duration: it does not come back when the lease of a dead holder ends. */
    RETRY_AFTER_IS_AN_INSTANT("hash-acquire.lua", "free_at - now + 1", "free_at + 1"),

    /** The counter expires like a lock: once nobody used it for a lease, tokens that were raised fall back to the clock. */
    COUNTER_EXPIRES_WITH_THE_LEASE(
            "hash-line.lua",
            "digits(grant.token + grant.tokens - 1) }",
            "digits(grant.token + grant.tokens - 1), 'PX', digits(grant.expiry - grant.since) }"),

    /** The counter is written once: after the tokens were raised above the clock, all grants have the same token. */
    COUNTER_WRITTEN_ONLY_IF_ABSENT(
            "hash-line.lua",
            "digits(grant.token + grant.tokens - 1) }",
            "digits(grant.token + grant.tokens - 1), 'NX' }"),

    /** The counter says the first of the reserved tokens: the next holder gets one that a holder of before had. */
    RESERVED_TOKENS_NOT_COUNTED("hash-line.lua", "digits(grant.token + grant.tokens - 1)", "digits(grant.token)"),

    /** Each name has a counter, which raising the tokens does not reach: a restored store grants tokens that resources refuse. */
    COUNTER_FOR_EACH_NAME("hash-acquire.lua", "local at = {", "KEYS[2] = KEYS[1] .. ':fence'\nlocal at = {"),

    /**
     * The renewal tells milliseconds for microseconds: at the next grant the clock seems to leap, and held locks are given up.
     */
    RENEWAL_TELLS_MILLISECONDS("hash-renew.lua", "return now_micros", "return now"),

    /** A release of one of two claims frees the lock while the other one is in force. */
    RELEASE_COUNTS_ONLY_CLAIMS_THAT_END_LATER(
            "hash-release.lua", "if claim ~= mine then", "if claim ~= mine and expiry > lock.claims[mine] then"),

    /**
     * The release of an inner block wakes nobody if an earlier claim of the owner had ended unreleased: waiters wait for their
     * poll.
     */
    RELEASE_AFTER_AN_ENDED_CLAIM_IS_SILENT(
            "hash-release.lua",
            "leave_line(at, ARGV[1])\n    serve_next()",
            "leave_line(at, ARGV[1])\n    if #lock.ended == 0 then serve_next() end"),

    /** The last claim to wait is granted the lock first: those that came early wait for ever. */
    LINE_SERVED_FROM_ITS_END(
            "hash-line.lua", "in_line('ZRANGE', at.line, index", "in_line('ZREVRANGE', at.line, index"),

    /** A claim that gives up keeps its place: the lock is granted to it, and nobody has it for a lease. */
    PLACE_OF_A_CLAIM_THAT_GAVE_UP_STAYS("hash-release.lua", "if leave_line(at, ARGV[1]) and", "if"),

    /** The release tells the next client the token that its own claim had: a resource takes the two holders for one. */
    GRANT_TOLD_WITH_AN_EARLIER_TOKEN(
            "hash-line.lua", "place.attempt, digits(token),", "place.attempt, digits(token - tokens),"),

    /** A client that is not there is granted the lock, and nobody else is for its lease. */
    CLIENT_THAT_IS_NOT_THERE_IS_GRANTED_THE_LOCK("hash-line.lua", "elseif (tonumber(reply[2]) or 0) > 0 then", "else"),

    /** A release grants the lock for half of the lease: the next holder loses it while it counts on it. */
    DIRECT_GRANT_FOR_HALF_A_LEASE(
            "hash-line.lua", "expiry = now + tonumber(place.lease) })", "expiry = now + place.lease / 2 })");

    private final String script;
    private final String before;
    private final String after;

    WrongRedisHashScript(String script, String before, String after) {
        this.script = script;
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(name(), TextStore.HASH, new TextChange(ChangedFiles.REDIS_SCRIPTS + script, before, after));
    }
}
