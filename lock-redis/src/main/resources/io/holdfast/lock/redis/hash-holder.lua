-- KEYS: lock. Returns {owner, host, pid, thread, since in ms, token}, or nothing if nobody holds the lock.
-- Written without read_lock: asking who holds a lock must not write, not even tidy up.
local now = now_millis()
local flat = redis.call('HGETALL', KEYS[1])
local lock, in_force = {}, false
for i = 1, #flat, 2 do
    lock[flat[i]] = flat[i + 1]
    in_force = in_force or (string.sub(flat[i], 1, 6) == 'claim:' and (tonumber(flat[i + 1]) or 0) >= now)
end
if not in_force or not lock.owner then
    return false
end
return { lock.owner, lock.host, lock.pid, lock.thread, lock.since, lock.token }
