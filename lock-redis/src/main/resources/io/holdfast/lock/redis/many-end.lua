end
-- Put behind the functions that answer any one claim. An error is the answer of its claim alone.
if claims == 1 then
    return one(KEYS, ARGV, answers[1])
end
local keys = #KEYS / claims
for _, i in ipairs(left) do
    local fine, answer = pcall(one, { unpack(KEYS, (i - 1) * keys + 1, i * keys) }, { unpack(ARGV, (i - 1) * each + 1, i * each) },
        answers[i])
    if fine then
        answers[i] = answer
    else
        -- As for one claim alone: clients know READONLY, and others like it, by the first word.
        local why = type(answer) == 'table' and answer.err or answer
        answers[i] = { err = string.find(why, '^%u+ ') and why or 'ERR ' .. why }
    end
end
return answers
