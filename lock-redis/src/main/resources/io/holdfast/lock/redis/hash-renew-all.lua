-- KEYS: locks. ARGV: for each of them the claim id, the lease in ms, and when the claim ends by the last answer to its client, in ms; 0 if
-- that is unknown. Renews the claims that are the only one of their record. Returns for each the server's clock in micros if it was renewed,
-- else 0: the renewal script says why.
local run, answers = redis.pcall, {}
local time = run('TIME')
local now_micros = time[1] and time[1] * 1000000 + time[2] or 0
local now = math.floor(now_micros / 1000)
-- HINCRBY would make a key that is gone. False, too, once a command is refused: for lack of a right or of memory, or by a server before 7.0.
local counting = run('EXISTS', unpack(KEYS)) == #KEYS

local function digits(number)
    return string.format('%.0f', number)
end

-- Two commands, as HINCRBY reads what it writes: only a claim that ends when its client knows comes to the right end. Anything else is put
-- back as it was, in the same script, so that nobody sees it.
local function renew_known(key, mine, known, expiry)
    local found = run('HINCRBY', key, mine, digits(expiry - known))
    if found == expiry then
        local moved = run('PEXPIREAT', key, digits(expiry), 'GT')
        counting = type(moved) == 'number'
        return moved == 1
    end
    counting = type(found) == 'number'
    if counting and run('HINCRBY', key, mine, digits(known - expiry)) == 0 then
        -- There was no such field, or one that is marked as ended. What may not be removed stays marked.
        run('HDEL', key, mine)
    end
    return false
end

local function renew_read(key, mine, expiry)
    local before = run('HLEN', key) == 7 and tonumber(run('HGET', key, mine)) or 0
    local text = digits(math.max(before, expiry))
    return before > 0 and run('PEXPIREAT', key, text) == 1 and run('HSET', key, mine, text) == 0
end

for i, key in ipairs(KEYS) do
    local mine, expiry, known = 'claim:' .. ARGV[3 * i - 2], now + ARGV[3 * i - 1], tonumber(ARGV[3 * i])
    local renewed = now > 0
        and (counting and known >= now and known <= expiry and renew_known(key, mine, known, expiry)
            or renew_read(key, mine, expiry))
    answers[i] = renewed and now_micros or 0
end
return answers
