-- Put in front of the acquire script, which has all the other cases: grants a free lock. See hash-acquire-fast.lua.
local run, key, counter = redis.pcall, KEYS[1], KEYS[2]
if not ARGV[5] and run('GET', key) == false then
    local time, last = run('TIME'), run('GET', counter)
    local now_micros = time[1] and time[1] * 1000000 + time[2] or 0
    if time[1] and (last == false or type(last) == 'string' and string.find(last, '^%d+$') and tonumber(last) < now_micros) then
        local token = string.format('%.0f', now_micros)
        local record = ARGV[1] .. ' ' .. token .. ' ' .. string.sub(token, 1, -4) .. ' ' .. ARGV[3]
        local reserved = ARGV[4] == '1' and token or string.format('%.0f', now_micros + ARGV[4] - 1)
        if run('SET', counter, reserved).ok and run('SET', key, record, 'NX', 'PX', ARGV[2]).ok then
            return { 1, now_micros, 0, now_micros, tonumber(ARGV[4]) }
        end
    end
end
