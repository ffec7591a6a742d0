-- KEYS: lock, fencing counter. ARGV: claim id, lease in ms, owner, host, pid, thread.
-- Returns {1, token} or {0, ms until the lock is free at the latest, 0}.
local now_micros = server_micros()
local now = math.floor(now_micros / 1000)
local lock = read_lock(KEYS[1], now)
if lock.in_force > 0 and lock.record.owner ~= ARGV[3] then
    return { 0, lock.latest - now + 1, 0 }
end

local token = lock.in_force > 0 and tonumber(lock.record.token)
if token then
    tidy(KEYS[1], lock)
else
    token = mint_token(KEYS[2], now_micros)
    -- What may be left is a record that somebody has taken the expiry from.
    redis.call('DEL', KEYS[1])
    redis.call('HSET', KEYS[1], 'owner', ARGV[3], 'token', string.format('%.0f', token),
        'since', string.format('%.0f', now), 'host', ARGV[4], 'pid', ARGV[5], 'thread', ARGV[6])
end

-- The number of claims is the hold count. A claim that was sent twice finds itself here and cannot count twice.
local mine = 'claim:' .. ARGV[1]
local expiry = math.max(now + tonumber(ARGV[2]), lock.claims[mine] or 0)
redis.call('HSET', KEYS[1], mine, string.format('%.0f', expiry))
expire_at(KEYS[1], math.max(expiry, lock.latest))
return { 1, token }
