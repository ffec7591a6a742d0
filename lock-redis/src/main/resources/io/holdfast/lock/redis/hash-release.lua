-- KEYS: lock. ARGV: claim id, channel, PUBLISH or SPUBLISH. Returns 1 if the claim was in force, else 0.
local mine = 'claim:' .. ARGV[1]
local lock = read_granted(KEYS[1], mine, now_millis())
if not lock then
    return 0
end
local latest = 0
for claim, expiry in pairs(lock.claims) do
    if claim ~= mine then
        latest = math.max(latest, expiry)
    end
end
if latest > 0 then
    call('HDEL', KEYS[1], mine)
    -- The remaining claims may end sooner than this one would have.
    expire_at(KEYS[1], latest)
    tidy(KEYS[1], lock)
else
    -- First the command that the user may not be allowed: a script that fails keeps what it has written.
    publish(ARGV[3], ARGV[2], ARGV[1])
    call('DEL', KEYS[1])
end
return 1
