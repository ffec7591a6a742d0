-- KEYS: lock. ARGV: claim id, lease in ms. Returns the server's clock in micros if the claim is in force, else 0.
local now_micros = server_micros()
local now = math.floor(now_micros / 1000)
local mine = 'claim:' .. ARGV[1]
local lock = read_granted(KEYS[1], mine, now)
if not lock then
    -- Never created again: another claim may hold the lock by now.
    return 0
end
local expiry = math.max(lock.claims[mine], now + tonumber(ARGV[2]))
-- The key first: a full server refuses only the first write of a script, and only if it may need memory, as HSET may. A lock must
-- not be lost because other data filled the server.
expire_at(KEYS[1], math.max(expiry, lock.latest))
call('HSET', KEYS[1], mine, digits(expiry))
tidy(KEYS[1], lock)
return now_micros
