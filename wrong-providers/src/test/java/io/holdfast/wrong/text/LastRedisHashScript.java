package io.holdfast.wrong.text;

/** Redis with one more wrong line in a script of the layout {@code hash}, or in one that both layouts use. */
enum LastRedisHashScript implements HandWritten {
    /** Owners are compared letter by letter of ASCII alone: {@code Zürich} and {@code Zärich} hold the lock at the same time. (1.1, 4.4) */
    OWNERS_COMPARED_IN_ASCII(
            "hash-acquire.lua",
            "lock.record.owner ~= ARGV[3]",
            "string.gsub(lock.record.owner, '[^ -~]', '?') ~= string.gsub(ARGV[3], '[^ -~]', '?')"),

    /** An owner is known by its host as well: a workflow that moves to another machine waits for itself. (4.6) */
    OWNER_ON_ANOTHER_HOST_IS_A_STRANGER(
            "hash-acquire.lua",
            "lock.record.owner ~= ARGV[3]",
            "(lock.record.owner ~= ARGV[3] or lock.record.host ~= ARGV[4])"),

    /** Of three claims of an owner one is released: the key ends with the shorter of the others, and the longer one is lost. (2.2, 4.2) */
    RELEASE_LEAVES_THE_EARLIEST_END(
            "hash-release.lua",
            "latest = math.max(latest, expiry)",
            "latest = latest == 0 and expiry or math.min(latest, expiry)"),

    /** The release tells whether the lock is free by now: the inner block is told that it had lost what it held all the time. (5.3) */
    RELEASE_OF_ONE_OF_TWO_ANSWERS_NOT_HELD(
            "hash-release.lua", "leave_line(at, ARGV[1])\nelse", "leave_line(at, ARGV[1])\n    return 0\nelse"),

    /** The counter is set to the clock instead of the token: the second grant after a raise is below the first. (6.1, 6.7) */
    COUNTER_SET_TO_THE_CLOCK(
            "hash-line.lua", "digits(grant.token + grant.tokens - 1) }", "digits(grant.since * 1000) }"),

    /** A raise goes at most a day ahead of the clock, against typing errors: later tokens are below the number that it was told. (6.7) */
    RAISE_ENDS_A_DAY_AHEAD(
            "counter.lua",
            "last = math.max(last, tonumber(ARGV[1]))",
            "last = math.max(last, math.min(tonumber(ARGV[1]), server_micros() + 86400 * 1000000))"),

    /** The renewal of a lock that was deleted fails instead of telling the loss: its holder goes on until the deadline. (3.2, 8.5) */
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

    /** A renewed claim lasts as long as the longest of its owner: if its process dies, a lease of a second blocks for an hour. (2.1) */
    RENEWAL_TAKES_THE_LATEST_END_OF_ALL(
            "hash-renew.lua",
            "math.max(lock.claims[mine], now + tonumber(ARGV[2]))",
            "math.max(lock.latest, now + tonumber(ARGV[2]))"),

    /** A renewal is recorded only if no other claim lasts longer: when the outer block ends, the inner one loses the lock. (2.5, 4.2) */
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

    /** A claim that joins tells the time of the first grant: the next answer looks like a leap, and held locks are given up. (3.4, 8.6) */
    JOINING_CLAIM_TELLS_THE_TIME_OF_THE_FIRST(
            "hash-acquire.lua", "1, now_micros, 0)", "1, lock.record.since * 1000, 0)"),

    /** Claims are told apart by their client alone: the late release of one thread frees the lock of the next one. (3.1, 5.1, 5.2) */
    CLAIMS_OF_A_CLIENT_ARE_ONE(
            "hash.lua",
            "local function parse(flat, now)",
            "ARGV[1] = ARGV[1] and (string.match(ARGV[1], '^(.+)%-') or ARGV[1])\nlocal function parse(flat, now)"),

    /** A write that the server refuses, as it has no room, is told as contention: the caller believes that another one has the lock. (1.6) */
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
            "try_publish(at.publish, string.lower(place.channel), message)");

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
