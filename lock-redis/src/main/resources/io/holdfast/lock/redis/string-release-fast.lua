-- Put in front of the release script, which has all the other cases: releases claims that are in force. See hash-acquire-fast.lua.
local run, answers, left, claims = redis.pcall, {}, {}, #KEYS
local each = #ARGV / claims
for i, key in ipairs(KEYS) do
    local at = (i - 1) * each
    local id, channel = ARGV[at + 1], each > 1 and ARGV[at + 2]
    local value = run('GET', key)
    if type(value) == 'string' and string.sub(value, 1, #id + 1) == id .. ' '
        and (not channel or type(run(ARGV[at + 3], channel, id)) == 'number') and run('DEL', key) == 1 then
        answers[i] = 1
    else
        left[#left + 1] = i
    end
end
