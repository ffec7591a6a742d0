package io.holdfast.wrong.text;

/** Redis with one more wrong line in a script of the layout {@code string}, or in one that both layouts use. */
enum LastRedisStringScript implements HandWritten {
    /** Records of threads without a name, as virtual threads are, count as foreign: their repeated attempts fail. (1.3, 9.8) */
    THREAD_WITHOUT_A_NAME_IS_FOREIGN("string.lua", "(%S*) (%S*) (%S*)$'", "(%S*) (%S*) (%S+)$'"),

    /** A release is published if somebody listens, which is asked by a pattern: a name with brackets wakes nobody. (7.2) */
    LISTENERS_FOUND_BY_PATTERN(
            "string-release.lua", "if ARGV[2] then", "if ARGV[2] and #call('PUBSUB', 'CHANNELS', ARGV[2]) > 0 then"),

    /**
     * The release of a lock that is gone answers yes: a holder that was too late takes its unprotected work for protected. (5.3)
     */
    RELEASE_OF_WHAT_IS_GONE_ANSWERS_YES(
            "string-release.lua", "if not belongs_to(read('GET', KEYS[1]), ARGV[1]) then", """
                local value = read('GET', KEYS[1])
                if value and not belongs_to(value, ARGV[1]) then\
                """),

    /** The holder's owner is not refused, as if the record counted holds: two clients of one owner hold the lock. (1.1, 1.8) */
    SECOND_CLIENT_OF_AN_OWNER_IS_NOT_REFUSED("string-acquire.lua", "if value then\n", """
        local _, _, _, _, _, _, holder = string.find(value or '', OURS)
        if value and holder ~= string.match(ARGV[3], '^%S* (%S*)') then
        """),

    /** Tabs are not encoded: the record of an owner with a tab in its name cannot be read. (9.8) */
    TABS_NOT_ENCODED("RecordArguments.class", "-._~", "-._~\t"),

    /** Only a counter that is there is raised: a new server that takes over from another store begins below it. (6.7) */
    RAISES_ONLY_A_COUNTER_THAT_IS_THERE(
            "counter.lua", "call('SET', KEYS[1], digits(last))", "call('SET', KEYS[1], digits(last), 'XX')"),

    /** Keys end at the first character 0, as texts do in C: two names that differ behind it exclude each other. (1.4) */
    KEYS_END_AT_ZERO("string.lua", "local OURS = ", "KEYS[1] = string.match(KEYS[1], '^[^%z]*')\nlocal OURS = "),

    /** Nobody looks whether the record was written: a server that refuses writes grants every lock to everybody. (1.1, 1.6) */
    GRANTED_ALTHOUGH_THE_WRITE_WAS_REFUSED(
            "string-acquire.lua",
            "call('SET', KEYS[2], digits(token + tokens - 1))\ncall('SET', KEYS[1], record, 'NX', 'PX', ARGV[2])",
            "redis.pcall('SET', KEYS[2], digits(token + tokens - 1))\n"
                    + "redis.pcall('SET', KEYS[1], record, 'NX', 'PX', ARGV[2])"),

    /** Nobody looks whether the lease was prolonged: a holder believes that it is, and learns of its end too late. (1.6, 2.5) */
    REFUSED_RENEWAL_TOLD_AS_DONE(
            "string-renew.lua",
            "    call('PEXPIRE', KEYS[1], ARGV[2])",
            "    redis.pcall('PEXPIRE', KEYS[1], ARGV[2])"),

    /** A removal that the server refuses counts as one that came too late. (5.3, 5.6) */
    REFUSED_RELEASE_TOLD_AS_LATE("string-release.lua", "call('DEL', KEYS[1])\nreturn 1", """
        if failure(redis.pcall('DEL', KEYS[1])) then
            return 0
        end
        return 1\
        """),

    /**
     * A repeated attempt is told the newest token of all names: the resource then refuses what the holder sent with its first.
     * (1.3, 6.2)
     */
    REPEATED_ATTEMPT_TOLD_THE_NEWEST_TOKEN(
            "string-acquire.lua", "token = whole_number(token) or 0", "token = last_token(KEYS[2])"),

    /** All claims that are renewed in one call get the lease time of the first of them. */
    BATCH_TAKES_THE_LEASE_OF_THE_FIRST(
            "string-renew-all.lua", "run('PEXPIRE', key, ARGV[3 * i - 1], 'GT')", "run('PEXPIRE', key, ARGV[2], 'GT')"),

    /** A late claim frees the lock of a claim whose id begins with its own. */
    RELEASE_BY_THE_BEGINNING_OF_AN_ID(
            "string-release-fast.lua", "string.sub(value, 1, #id + 1) == id .. ' '", "string.sub(value, 1, #id) == id"),

    /** Of claims that are sent together, those that the usual case leaves are answered what the first of them all would be. */
    LEFT_CLAIM_GETS_THE_ANSWER_OF_ANOTHER("many-end.lua", """
        for _, i in ipairs(left) do
            local fine, answer = pcall(one, { unpack(KEYS, (i - 1) * keys + 1, i * keys) }, { unpack(ARGV, (i - 1) * each + 1, i * each) },\
        """, """
        for n, i in ipairs(left) do
            local fine, answer = pcall(one, { unpack(KEYS, (n - 1) * keys + 1, n * keys) }, { unpack(ARGV, (n - 1) * each + 1, n * each) },\
        """),

    /** Of claims that are granted together, the counter knows the token of the first alone. (6.1) */
    COUNTER_KNOWS_THE_FIRST_OF_THE_GRANTS(
            "clock.lua", "string.format('%.0f', number + count)", "string.format('%.0f', number + 1)");

    private final String script;
    private final String before;
    private final String after;

    LastRedisStringScript(String script, String before, String after) {
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
