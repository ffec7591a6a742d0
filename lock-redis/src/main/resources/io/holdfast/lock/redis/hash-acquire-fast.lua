-- Put in front of the acquire script, which has all the other cases: grants a free lock for which none waits. It comes before the functions of that script, as
-- making them costs as much as some commands. What is refused here is undone, and refused again there, with a reason.
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
end
