-- KEYS: lock. ARGV: claim id, lease in ms. Returns 1 if the claim is in force, else 0.
local now = now_millis()
local mine = 'claim:' .. ARGV[1]
local lock = read_granted(KEYS[1], mine, now)
if not lock then
    -- Never written anew: whoever took the lock in the meantime has it.
    return 0
end
local expiry = math.max(lock.claims[mine], now + tonumber(ARGV[2]))
-- The key first: a server that is out of memory refuses the first write of a script if it may need memory, as HSET may, but
-- lets a script go on that has written already. A lock must not be lost because of somebody else's data.
expire_at(KEYS[1], math.max(expiry, lock.latest))
call('HSET', KEYS[1], mine, digits(expiry))
tidy(KEYS[1], lock)
return 1
