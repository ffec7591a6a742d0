-- Put in front of the acquire script, which has all the other cases: grants free locks. See hash-acquire-fast.lua.
local run, answers, left, granted, claims = redis.pcall, {}, {}, {}, #KEYS / 2
local each = #ARGV / claims
local now_micros, clock, token
for i = 1, claims do
    local key, at = KEYS[2 * i - 1], (i - 1) * each
    if each == 4 and run('EXISTS', key) == 0 then
        if not now_micros then
            local time, last = run('TIME'), run('GET', KEYS[2]) or '0'
            now_micros = time[1] and time[1] * 1000000 + time[2] or 0
            clock = string.format('%.0f', now_micros)
            if time[1] and type(last) == 'string' and string.find(last, '^%d+$') and tonumber(last) < 2 ^ 52 then
                token = math.max(last + 1, now_micros)
            end
        end
        if token then
            local first = token == now_micros and clock or string.format('%.0f', token)
            local tokens = token + ARGV[at + 4] - 1 <= now_micros + 10000 and ARGV[at + 4] or '1'
            local record = ARGV[at + 1] .. ' ' .. first .. ' ' .. string.sub(clock, 1, -4) .. ' ' .. ARGV[at + 3]
            if run('SET', key, record, 'NX', 'PX', ARGV[at + 2]).ok then
                answers[i], granted[#granted + 1] = first .. ' ' .. tokens .. ' ' .. clock .. ' 0', i
                token = token + tokens
            end
        end
    end
    if not answers[i] then
        left[#left + 1] = i
    end
end
if granted[1] and not run('SET', KEYS[2], string.format('%.0f', token - 1)).ok then
    for _, i in ipairs(granted) do
        run('DEL', KEYS[2 * i - 1])
        answers[i] = nil
        left[#left + 1] = i
    end
end
if not left[1] then
    return claims == 1 and answers[1] or answers
end
