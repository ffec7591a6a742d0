-- KEYS: lock. Returns {owner, host, pid, thread, since in ms, token}, or nothing if nobody holds the lock.
local lock = parse(call('HGETALL', KEYS[1]), now_millis())
local record = lock.record
if lock.in_force == 0 or not record.owner then
    return false
end
return { record.owner, record.host, record.pid, record.thread, record.since, record.token }
