-- KEYS: lock, record. ARGV: claim, lease in ms. Returns {'held'} if the claim is in force, else {'gone'}.
if not in_force(KEYS[1], ARGV[1]) then
    -- Never written anew: whoever took the lock in the meantime has it.
    return { 'gone' }
end
local lease = tonumber(ARGV[2])
prolong(KEYS[1], lease)
if redis.call('HGET', KEYS[2], 'claim') == ARGV[1] then
    prolong(KEYS[2], lease + DAY_MILLIS)
end
return { 'held' }
