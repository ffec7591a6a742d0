-- KEYS: lock. ARGV: claim id, lease in ms. Returns 1 if the claim is in force, else 0.
local now = now_millis()
local lock = read_lock(KEYS[1], now)
local mine = 'claim:' .. ARGV[1]
local expiry = lock.claims[mine]
if not expiry then
    -- Never written anew: whoever took the lock in the meantime has it.
    return 0
end
expiry = math.max(expiry, now + tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], mine, string.format('%.0f', expiry))
expire_at(KEYS[1], math.max(expiry, lock.latest))
return 1
