-- Put in front of the renewal script, which has all the other cases: renews the only claim of a record, see hash-release-fast.lua.
local run, key, mine = redis.pcall, KEYS[1], 'claim:' .. ARGV[1]
if run('HLEN', key) == 7 then
    local before, time = tonumber(run('HGET', key, mine)), run('TIME')
    if before and before > 0 and time[1] then
        local now_micros = time[1] * 1000000 + time[2]
        local expiry = string.format('%.0f', math.max(before, math.floor(now_micros / 1000) + ARGV[2]))
        if run('PEXPIREAT', key, expiry) == 1 and run('HSET', key, mine, expiry) == 0 then
            return now_micros
        end
    end
end
