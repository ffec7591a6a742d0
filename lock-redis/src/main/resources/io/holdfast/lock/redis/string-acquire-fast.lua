-- Put in front of the acquire script, which has all the other cases: grants free locks. See hash-acquire-fast.lua.
local run, answers, left, claims = redis.pcall, {}, {}, #KEYS / 2
local each = #ARGV / claims
local asked, token, now_micros, clock
for i = 1, claims do
    local key, at = KEYS[2 * i - 1], (i - 1) * each
    if each == 4 and run('GET', key) == false then
        if not asked then
            local wanted = 0
            for place = at + 4, #ARGV, each do
                wanted = wanted + ARGV[place]
            end
            token, now_micros, clock = take_tokens(KEYS[2], wanted, claims - i + 1)
            asked = true
        end
        if token then
            local first = token == now_micros and clock or string.format('%.0f', token)
            local tokens = tokens_of(ARGV[at + 4], token, now_micros)
            local record = ARGV[at + 1] .. ' ' .. first .. ' ' .. string.sub(clock, 1, -4) .. ' ' .. ARGV[at + 3]
            if run('SET', key, record, 'NX', 'PX', ARGV[at + 2]).ok then
                answers[i] = first .. ' ' .. tokens .. ' ' .. clock .. ' 0'
                token = token + tokens
            end
        end
    end
    if not answers[i] then
        left[#left + 1] = i
    end
end
