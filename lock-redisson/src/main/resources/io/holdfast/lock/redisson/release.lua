-- KEYS: lock, record, mark of the withdrawn claim. ARGV: claim, channel, how long the mark stays in ms (0: there is none),
-- 'cluster' or 'single'. Returns {'released'} if the claim was in force, else {'gone'}.
if ARGV[3] ~= '0' then
    redis.call('SET', KEYS[3], '', 'PX', ARGV[3])
end
if not in_force(KEYS[1], ARGV[1]) then
    return { 'gone' }
end
-- First what the user may lack the right to. The message is Redisson's: it must be a number, and 0 wakes one waiter of each JVM.
redis.call('PUBLISH', ARGV[2], '0')
if ARGV[4] == 'cluster' then
    -- Redisson listens to the one or the other, as it is configured. Redis before 7 has only the one, so a refusal is none.
    redis.pcall('SPUBLISH', ARGV[2], '0')
end
redis.call('DEL', KEYS[1])
if redis.call('HGET', KEYS[2], 'claim') == ARGV[1] then
    -- The token stays.
    redis.call('HDEL', KEYS[2], 'claim', 'owner', 'host', 'pid', 'thread', 'since')
end
return { 'released' }
