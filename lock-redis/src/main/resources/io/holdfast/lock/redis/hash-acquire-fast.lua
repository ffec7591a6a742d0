-- Put in front of the acquire script, which has all the other cases: grants a free lock for which none waits, and refuses one that another
-- owner holds. It comes before the functions of that script, as making them costs more than all commands. What is refused by the server here
-- is undone, and refused again there, with a reason.
local run, key, counter = redis.pcall, KEYS[1], KEYS[2]
if run('EXISTS', key, ARGV[8]) == 0 then
    local time, last = run('TIME'), run('GET', counter)
    local now_micros = time[1] and time[1] * 1000000 + time[2] or 0
    -- The clock alone decides, as it is past all tokens. It also counts by microseconds, so its digits tell the time in milliseconds.
    if time[1] and (last == false or type(last) == 'string' and string.find(last, '^%d+$') and tonumber(last) < now_micros) then
        local token = string.format('%.0f', now_micros)
        local since = string.sub(token, 1, -4)
        local expiry = string.format('%.0f', since + ARGV[2])
        local reserved = ARGV[7] == '1' and token or string.format('%.0f', now_micros + ARGV[7] - 1)
        local added = run('HSET', key, 'claim:' .. ARGV[1], expiry, 'owner', ARGV[3], 'token', token, 'since', since, 'host', ARGV[4], 'pid', ARGV[5], 'thread', ARGV[6])
        if type(added) == 'number' then
            if run('PEXPIREAT', key, expiry) == 1 and run('SET', counter, reserved).ok then
                return { 1, now_micros, 0, now_micros, tonumber(ARGV[7]) }
            end
            run('DEL', key)
        end
    end
else
    local flat, record = run('HGETALL', key), {}
    for i = 1, #flat, 2 do
        record[string.sub(flat[i], 1, 6) == 'claim:' and 'claim' or flat[i]] = flat[i + 1]
    end
    -- One claim, and nothing that another program has changed.
    local whole = #flat == 14 and record.owner and record.owner ~= ARGV[3] and record.host and record.pid and record.thread
        and string.find(record.token or '', '^[1-9]%d*$') and string.find(record.since or '', '^[1-9]%d*$')
        and string.find(record.claim or '', '^[1-9]%d*$') and tonumber(record.claim) < 2 ^ 53
    local left = whole and run('PTTL', key) or 0
    if type(left) == 'number' and left > 0 then
        if not ARGV[11] then
            return { 0, left + 1, 0 }
        end
        local time = run('TIME')
        if time[1] and run('ZADD', ARGV[8], 'NX', string.format('%.0f', time[1] * 1000000 + time[2]), ARGV[1]) == 1 then
            local place = { key = key, kept_until = time[1] * 1000 + math.floor(time[2] / 1000) + 15000, attempt = ARGV[11], lease = ARGV[2],
                owner = ARGV[3], host = ARGV[4], pid = ARGV[5], thread = ARGV[6], tokens = ARGV[7], channel = ARGV[12], shared = ARGV[13] }
            if type(run('HSET', ARGV[9], ARGV[1], cmsgpack.pack(place))) == 'number'
                and run('PEXPIRE', ARGV[8], 15000) == 1 and run('PEXPIRE', ARGV[9], 15000) == 1 then
                return { 0, math.min(left + 1, 5000), 0 }
            end
        end
    end
end
