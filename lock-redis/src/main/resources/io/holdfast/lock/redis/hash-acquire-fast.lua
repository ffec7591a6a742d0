-- Put in front of the acquire script, which has all the other cases: grants free locks for which none waits, and refuses those that another owner
-- holds. It comes before the functions of that script, as making them costs more than all commands. What is refused by the server here is undone,
-- and refused again there, with a reason. KEYS and ARGV have those of each claim one after another, see many-begin.lua.
local run, answers, left, claims = redis.pcall, {}, {}, #KEYS / 2
local each = #ARGV / claims
local asked, token, now_micros, clock
for i = 1, claims do
    local key, at = KEYS[2 * i - 1], (i - 1) * each
    if run('EXISTS', key, ARGV[at + 8]) == 0 then
        if not asked then
            local wanted = 0
            for place = at + 7, #ARGV, each do
                wanted = wanted + ARGV[place]
            end
            token, now_micros, clock = take_tokens(KEYS[2], wanted, claims - i + 1)
            asked = true
        end
        if token then
            local first = token == now_micros and clock or string.format('%.0f', token)
            local tokens = tokens_of(ARGV[at + 7], token, now_micros)
            -- The clock in micros, cut to ms: without its last three digits.
            local since = string.sub(clock, 1, -4)
            local expiry = string.format('%.0f', since + ARGV[at + 2])
            local added = run('HSET', key, 'claim:' .. ARGV[at + 1], expiry, 'owner', ARGV[at + 3], 'token', first, 'since', since,
                'host', ARGV[at + 4], 'pid', ARGV[at + 5], 'thread', ARGV[at + 6])
            if type(added) == 'number' and run('PEXPIREAT', key, expiry) == 1 then
                answers[i] = first .. ' ' .. tokens .. ' ' .. clock .. ' 0'
                token = token + tokens
            elseif type(added) == 'number' then
                run('DEL', key)
            end
        end
    else
        local flat, record = run('HGETALL', key), {}
        for field = 1, #flat, 2 do
            record[string.sub(flat[field], 1, 6) == 'claim:' and 'claim' or flat[field]] = flat[field + 1]
        end
        -- One claim, and nothing that another program has changed.
        local whole = #flat == 14 and record.owner and record.owner ~= ARGV[at + 3] and record.host and record.pid and record.thread
            and string.find(record.token or '', '^[1-9]%d*$') and string.find(record.since or '', '^[1-9]%d*$')
            and string.find(record.claim or '', '^[1-9]%d*$') and tonumber(record.claim) < 2 ^ 53
        local remaining = whole and run('PTTL', key) or 0
        if type(remaining) == 'number' and remaining > 0 then
            if each < 11 then
                answers[i] = { remaining + 1, 0 }
            else
                local time, line, places = run('TIME'), ARGV[at + 8], ARGV[at + 9]
                if time[1] and run('ZADD', line, 'NX', string.format('%.0f', time[1] * 1000000 + time[2]), ARGV[at + 1]) == 1 then
                    local place = { key = key, kept_until = time[1] * 1000 + math.floor(time[2] / 1000) + 15000, attempt = ARGV[at + 11],
                        lease = ARGV[at + 2], owner = ARGV[at + 3], host = ARGV[at + 4], pid = ARGV[at + 5], thread = ARGV[at + 6],
                        tokens = ARGV[at + 7], channel = ARGV[at + 12], shared = ARGV[at + 13] }
                    if type(run('HSET', places, ARGV[at + 1], cmsgpack.pack(place))) == 'number'
                        and run('PEXPIRE', line, 15000) == 1 and run('PEXPIRE', places, 15000) == 1 then
                        answers[i] = { math.min(remaining + 1, 5000), 0 }
                    end
                end
            end
        end
    end
    if not answers[i] then
        left[#left + 1] = i
    end
end
