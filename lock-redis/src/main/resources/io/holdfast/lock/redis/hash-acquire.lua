-- KEYS: lock, fencing counter. ARGV: claim id, lease in ms, owner, host, pid, thread, how many tokens are wanted.
-- Returns {1, token, 0, server's clock in micros, how many tokens it got} or {0, ms until the lock is free at the latest, 0}.
local now_micros = server_micros()
local now = math.floor(now_micros / 1000)
local lock = read_lock(KEYS[1], now)
if lock.in_force > 0 and lock.record.owner ~= ARGV[3] then
    return { 0, lock.latest - now + 1, 0 }
end

-- The number of claims is the hold count. A repeated attempt finds its claim here and does not count twice.
local mine = 'claim:' .. ARGV[1]
local expiry = math.max(now + tonumber(ARGV[2]), lock.claims[mine] or 0)
local held = lock.in_force > 0
local token = held and tonumber(lock.record.token) or next_token(KEYS[2], now_micros)
local tokens = held and 1 or reserved(token, ARGV[7], now_micros)

-- A script that fails keeps what it has written, and the user may lack the right to any of these commands, so a refused one undoes the
-- earlier ones. The first needs memory: a full server refuses only a script's first write.
call('HSET', KEYS[1], mine, digits(expiry))
local writes = { { 'PEXPIREAT', KEYS[1], digits(math.max(expiry, lock.latest)) } }
if not held then
    table.insert(writes, { 'HSET', KEYS[1], 'owner', ARGV[3], 'token', digits(token), 'since', digits(now),
        'host', ARGV[4], 'pid', ARGV[5], 'thread', ARGV[6] })
    table.insert(writes, { 'SET', KEYS[2], digits(token + tokens - 1) })
end
for _, field in ipairs(lock.ended) do
    -- An earlier grant of this very claim may have ended.
    if field ~= mine then
        table.insert(writes, { 'HDEL', KEYS[1], field })
    end
end
for _, write in ipairs(writes) do
    local reply = redis.pcall(unpack(write))
    local err = failure(reply)
    if err then
        if not held then
            redis.pcall('DEL', KEYS[1])
        elseif not lock.claims[mine] then
            -- Marked as ended, for the next script to remove: removing it is one of the commands that may be refused.
            redis.pcall('HSET', KEYS[1], mine, '0')
        end
        local missing = denied(err, write[1], write[2])
        return missing and redis.error_reply(missing) or reply
    end
end
return { 1, token, 0, now_micros, tokens }
