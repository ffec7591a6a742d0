-- KEYS: locks. ARGV: for each of them the claim id, and the lease in ms. Renews the claims that are the only one of their record. Returns
-- for each the server's clock in micros if it was renewed, else 0: the renewal script says why.
local run, answers = redis.pcall, {}
local time = run('TIME')
local now_micros = time[1] and time[1] * 1000000 + time[2] or 0
local now = math.floor(now_micros / 1000)
for i, key in ipairs(KEYS) do
    local mine = 'claim:' .. ARGV[2 * i - 1]
    local before = now > 0 and run('HLEN', key) == 7 and tonumber(run('HGET', key, mine)) or 0
    local expiry = string.format('%.0f', math.max(before, now + ARGV[2 * i]))
    local renewed = before > 0 and run('PEXPIREAT', key, expiry) == 1 and run('HSET', key, mine, expiry) == 0
    answers[i] = renewed and now_micros or 0
end
return answers
