-- KEYS: lock, record. Returns {} if nobody holds the lock, {owner, host, pid, thread, since in ms, token} if a claim does, and
-- the field of its owner alone if somebody else does.
if not is_hash(KEYS[1]) then
    return {}
end
local record = redis.call('HMGET', KEYS[2], 'claim', 'owner', 'host', 'pid', 'thread', 'since', 'token')
if record[1] and redis.call('HEXISTS', KEYS[1], record[1]) == 1 then
    return { record[2], record[3], record[4], record[5], record[6], record[7] }
end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    -- Which RReadWriteLock has beside its owners.
    if field ~= 'mode' then
        return { field }
    end
end
return {}
