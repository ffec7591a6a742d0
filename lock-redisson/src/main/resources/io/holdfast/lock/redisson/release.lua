-- KEYS: lock, mark of the withdrawn claim. ARGV: claim, channel, how long the mark stays in ms (0: there is none),
-- 'CLUSTER' or 'SINGLE'. Returns {'released'} if the claim was in force, else {'gone'}.
local held = in_force(KEYS[1], ARGV[1])
if held then
    -- First the command that the user may not be allowed. The message is Redisson's: a number, of which 0 wakes one waiter per JVM.
    redis.call('PUBLISH', ARGV[2], '0')
    if ARGV[4] == 'CLUSTER' then
        -- Redisson subscribes to one or the other, by its configuration. Redis before 7 does not know SPUBLISH, so a failure is ignored.
        redis.pcall('SPUBLISH', ARGV[2], '0')
    end
    redis.call('DEL', KEYS[1])
end

-- The lock is free, even if the mark fails.
if ARGV[3] ~= '0' then
    -- A full server refuses only a script's first write, and only if it may need memory, which DEL does not.
    redis.call('DEL', KEYS[2])
    local reply = redis.pcall('SET', KEYS[2], '', 'PX', ARGV[3])
    if type(reply) == 'table' and reply.err then
        -- A failure, so that the release is repeated, and frees what a late request may have been granted.
        return { err = 'HOLDFAST the claim holds nothing, but a request of it that arrives late may yet be granted, as it could'
            .. ' not be marked as released: ' .. reply.err }
    end
end
return { held and 'released' or 'gone' }
