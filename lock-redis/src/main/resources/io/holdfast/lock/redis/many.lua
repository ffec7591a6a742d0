-- Put behind a script that is the function one. The script is called for one claim, or for many of one server, and has KEYS and ARGV of each claim
-- one after another. What the lines in front have left is answered claim by claim; an error is the answer of its claim alone.
if claims == 1 then
    return one(KEYS, ARGV, answers[1])
end
local keys = #KEYS / claims
for _, i in ipairs(left) do
    local fine, answer = pcall(one, { unpack(KEYS, (i - 1) * keys + 1, i * keys) }, { unpack(ARGV, (i - 1) * each + 1, i * each) },
        answers[i])
    if fine or type(answer) == 'table' then
        answers[i] = answer
    else
        answers[i] = { err = 'ERR ' .. answer }
    end
end
return answers
