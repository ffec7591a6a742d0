package io.holdfast.wrong.text;

/** Redis with one more wrong line in a script of the layout {@code hash}, or in one that both layouts use. */
enum LastRedisHashScript implements HandWritten {
    /**
     * Owners are compared letter by letter of ASCII alone: {@code Zürich} and {@code Zärich} hold the lock at the same time.
     * (1.1, 4.4)
     */
    OWNERS_COMPARED_IN_ASCII(
            "hash-acquire.lua",
            "lock.record.owner ~= ARGV[3]",
            "string.gsub(lock.record.owner, '[^ -~]', '?') ~= string.gsub(ARGV[3], '[^ -~]', '?')"),

    /** An owner is known by its host as well: a workflow that moves to another machine waits for itself. (4.6) */
    OWNER_ON_ANOTHER_HOST_IS_A_STRANGER(
            "hash-acquire.lua",
            "lock.record.owner ~= ARGV[3]",
            "(lock.record.owner ~= ARGV[3] or lock.record.host ~= ARGV[4])"),

    /**
     * Of three claims of an owner one is released: the key ends with the shorter of the others, and the longer one is lost. (2.2,
     * 4.2)
     */
    RELEASE_LEAVES_THE_EARLIEST_END(
            "hash-release.lua",
            "latest = math.max(latest, expiry)",
            "latest = latest == 0 and expiry or math.min(latest, expiry)"),

    /**
     * The release tells whether the lock is free by now: the inner block is told that it had lost what it held all the time.
     * (5.3)
     */
    RELEASE_OF_ONE_OF_TWO_ANSWERS_NOT_HELD(
            "hash-release.lua", "leave_line(at, ARGV[1])\nelse", "leave_line(at, ARGV[1])\n    return 0\nelse"),

    /** The counter is set to the clock instead of the token: the second grant after a raise is below the first. (6.1, 6.7) */
    COUNTER_SET_TO_THE_CLOCK(
            "hash-line.lua", "digits(grant.token + grant.tokens - 1) }", "digits(grant.since * 1000) }"),

    /**
     * A raise goes at most a day ahead of the clock, against typing errors: later tokens are below the number that it was told.
     * (6.7)
     */
    RAISE_ENDS_A_DAY_AHEAD(
            "counter.lua",
            "last = math.max(last, tonumber(ARGV[1]))",
            "last = math.max(last, math.min(tonumber(ARGV[1]), server_micros() + 86400 * 1000000))"),

    /**
     * The renewal of a lock that was deleted fails instead of telling the loss: its holder goes on until the deadline. (3.2, 8.5)
     */
    RENEWAL_OF_A_DELETED_LOCK_FAILS(
            "hash-renew.lua", "-- Never created again: another claim may hold the lock by now.\n    return 0", """
                if call('EXISTS', KEYS[1]) == 0 then
                        error('HOLDFAST there is no lock ' .. KEYS[1])
                    end
                    return 0\
                """),

    /** A renewal ends at a full second: a lock is free up to a second before its holder's deadline. (2.2, 2.5) */
    RENEWAL_UNTIL_A_FULL_SECOND(
            "hash-renew.lua",
            "expire_at(KEYS[1], math.max(expiry, lock.latest))",
            "call('EXPIREAT', KEYS[1], digits(math.floor(math.max(expiry, lock.latest) / 1000)))"),

    /**
     * A renewed claim lasts as long as the longest of its owner: if its process dies, a lease of a second blocks for an hour.
     * (2.1)
     */
    RENEWAL_TAKES_THE_LATEST_END_OF_ALL(
            "hash-renew.lua",
            "math.max(lock.claims[mine], now + tonumber(ARGV[2]))",
            "math.max(lock.latest, now + tonumber(ARGV[2]))"),

    /**
     * A renewal is recorded only if no other claim lasts longer: when the outer block ends, the inner one loses the lock. (2.5,
     * 4.2)
     */
    RENEWAL_NOT_RECORDED_UNDER_A_LONGER_CLAIM("hash-renew.lua", "call('HSET', KEYS[1], mine, digits(expiry))", """
        if expiry > lock.latest then
            call('HSET', KEYS[1], mine, digits(expiry))
        end\
        """),

    /** A safety margin on the wrong side: a lock is granted to the next one 50 ms before its holder's deadline. (1.1, 2.2) */
    LAST_50_MILLIS_COUNT_AS_ENDED("hash.lua", "elseif expiry < now then", "elseif expiry < now + 50 then"),

    /** Keys are cut at 2,048 bytes: long names in Chinese that differ only at their ends exclude each other. (1.4) */
    KEYS_CUT_AT_2048_BYTES(
            "hash.lua",
            "local function parse(flat, now)",
            "KEYS[1] = string.sub(KEYS[1], 1, 2048)\nlocal function parse(flat, now)"),

    /** A refused attempt leaves its process in the record: the operator stops one that only waits. (9.8) */
    REFUSED_ATTEMPT_TOLD_AS_HOLDER("hash-acquire.lua", "return { pause, 0 }", """
            call('HSET', KEYS[1], 'host', ARGV[4], 'pid', ARGV[5], 'thread', ARGV[6])
                return { pause, 0 }"""),

    /**
     * A claim that joins tells the time of the first grant: the next answer looks like a leap, and held locks are given up. (3.4,
     * 8.6)
     */
    JOINING_CLAIM_TELLS_THE_TIME_OF_THE_FIRST(
            "hash-acquire.lua", "1, now_micros, 0)", "1, lock.record.since * 1000, 0)"),

    /**
     * Claims are told apart by their client alone: the late release of one thread frees the lock of the next one. (3.1, 5.1, 5.2)
     */
    CLAIMS_OF_A_CLIENT_ARE_ONE(
            "hash.lua",
            "local function parse(flat, now)",
            "ARGV[1] = ARGV[1] and (string.match(ARGV[1], '^(.+)%-') or ARGV[1])\nlocal function parse(flat, now)"),

    /**
     * A write that the server refuses, as it has no room, is told as contention: the caller believes that another one has the
     * lock. (1.6)
     */
    REFUSED_WRITE_TOLD_AS_CONTENTION("hash-acquire.lua", "        return refused", "        return { 1000, 0 }"),

    /** A renewal that the server refuses is told as a loss: while a replica is missing, all locks are given up. (3.3, 1.6) */
    REFUSED_RENEWAL_TOLD_AS_LOSS("hash-renew.lua", "expire_at(KEYS[1], math.max(expiry, lock.latest))", """
        if failure(redis.pcall('PEXPIREAT', KEYS[1], digits(math.max(expiry, lock.latest)))) then
            return 0
        end\
        """),

    /** A removal that the server refuses is told as done: nobody repeats it, and the lock is held until its lease ends. (5.6) */
    REFUSED_RELEASE_TOLD_AS_DONE("hash-release.lua", "    call('DEL', KEYS[1])", "    redis.pcall('DEL', KEYS[1])"),

    /** Releases are published in lower case: waiters for a name with a capital letter wait for their poll. (7.2) */
    RELEASE_PUBLISHED_IN_LOWER_CASE(
            "hash-line.lua",
            "try_publish(at.publish, place.channel, message)",
            "try_publish(at.publish, string.lower(place.channel), message)"),

    /**
     * A claim that was granted the lock by a release keeps its place in the line; when its holder dies the store
     * grants it the lock a second time.
     */
    GRANTED_CLAIM_STAYS_IN_LINE("hash-release-fast.lua", """
            run('ZREM', line, first[1])
                                run('HDEL', places, first[1])""", "-- The claim leaves the line with its next attempt."),

    /**
     * A release grants the lock to a waiter whose client is dead, and everybody else waits for a lease that nobody
     * uses.
     */
    GRANT_TO_A_WAITER_THAT_IS_GONE("hash-release-fast.lua", """
            local listeners = usual and run('PUBSUB', publish == 'SPUBLISH' and 'SHARDNUMSUB' or 'NUMSUB', place.channel)
                        if listeners and (tonumber(listeners[2]) or 0) > 0 and run('DEL', key) == 1 then""", "if usual and run('DEL', key) == 1 then"),

    /**
     * After the tokens were raised, a claim that is granted by a release gets a token of the clock, below all that
     * resources have seen, and the raise is undone.
     */
    HAND_OVER_IGNORES_RAISED_TOKENS(
            "hash-release-fast.lua",
            " and string.find(last, '^%d+$') and tonumber(last) < now_micros)",
            " and string.find(last, '^%d+$'))"),

    /**
     * After a hand-over the store says that the new holder has held the lock since it began to wait, also while
     * another one held it.
     */
    HOLDER_SINCE_IT_WAITED(
            "hash-release-fast.lua",
            "'since', string.format('%.0f', now),",
            "'since', string.format('%.0f', place.kept_until - 15000),"),

    /**
     * A renewal of many claims sets the expiry of a shared record to the end of the claim that is renewed, so a hold
     * with a longer lease is lost.
     */
    BATCH_CUTS_A_LONGER_LEASE(
            "hash-renew-all.lua",
            "run('PEXPIREAT', key, digits(expiry), 'GT')",
            "run('PEXPIREAT', key, digits(expiry))"),

    /**
     * A renewal of many claims takes away a claim that only needs the longer way, as it shares its record with one
     * that ends later.
     */
    BATCH_REMOVES_WHAT_IT_DOES_NOT_RENEW("hash-renew-all.lua", "answers[i] = renewed and now_micros or 0", """
            if not renewed then
                    run('HDEL', key, mine)
                end
                answers[i] = renewed and now_micros or 0"""),

    /**
     * A renewal of many claims revives one whose lease has ended, while another hold of its owner keeps the record.
     */
    BATCH_REVIVES_AN_ENDED_CLAIM(
            "hash-renew-all.lua",
            "counting and known >= now and known <= expiry",
            "counting and known > 0 and known <= expiry"),

    /**
     * The message of a grant names as many tokens as were asked for, not as many as were reserved, so the next
     * holder gets one of them again.
     */
    MESSAGE_TELLS_OF_TOKENS_THAT_WERE_NOT_RESERVED(
            "hash-line.lua",
            "digits(token), digits(tokens), digits(now_micros) }",
            "digits(token), place.tokens, digits(now_micros) }"),

    /**
     * A raise to a small number that begins with a large digit lowers the counter, and tokens fall below an earlier
     * raise.
     */
    RAISE_COMPARES_TEXTS(
            "counter.lua",
            "last = math.max(last, tonumber(ARGV[1]))",
            "last = ARGV[1] > digits(last) and tonumber(ARGV[1]) or last");

    private final String script;
    private final String before;
    private final String after;

    LastRedisHashScript(String script, String before, String after) {
        this.script = script;
        this.before = before;
        this.after = after;
    }

    @Override
    public WrongText text() {
        return WrongText.of(name(), TextStore.HASH, new TextChange(ChangedFiles.REDIS_SCRIPTS + script, before, after));
    }
}
