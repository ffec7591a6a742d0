-- KEYS: lock. Returns {} if nobody holds the lock, {owner, host, pid, thread, since in ms, token} if a claim does, and the field
-- of its owner alone for another holder.
if not is_hash(KEYS[1]) then
    return {}
end
local record = redis.call('HMGET', KEYS[1], 'owner', 'host', 'pid', 'thread', 'since', 'token')
if record[1] then
    return record
end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    -- RReadWriteLock has this field beside its owners.
    if field ~= 'mode' then
        return { field }
    end
end
return {}
