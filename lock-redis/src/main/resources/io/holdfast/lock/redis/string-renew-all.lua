-- KEYS: locks. ARGV: for each of them the claim id, the lease in ms, and a number that the other layout needs. Renews the claims of which
-- nothing unusual is to be said. Returns for each the server's clock in micros if it was renewed, else 0: the renewal script says why.
local run, answers = redis.pcall, {}
local values, time = run('MGET', unpack(KEYS)), run('TIME')
local now_micros = time[1] and time[1] * 1000000 + time[2] or 0
for i, key in ipairs(KEYS) do
    local value, claim = values[i], ARGV[3 * i - 2] .. ' '
    local mine = now_micros > 0 and value and string.sub(value, 1, #claim) == claim
    answers[i] = mine and run('PEXPIRE', key, ARGV[3 * i - 1], 'GT') == 1 and now_micros or 0
end
return answers
