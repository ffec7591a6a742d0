-- KEYS: lock, mark of the withdrawn claim. ARGV: claim, channel, how long the mark stays in ms (0: there is none),
-- 'cluster' or 'single'. Returns {'released'} if the claim was in force, else {'gone'}.
local held = in_force(KEYS[1], ARGV[1])
if held then
    -- First what the user may lack the right to. The message is Redisson's: it must be a number, and 0 wakes one waiter of each JVM.
    redis.call('PUBLISH', ARGV[2], '0')
    if ARGV[4] == 'cluster' then
        -- Redisson listens to the one or the other, as it is configured. Redis before 7 has only the one, so a refusal is none.
        redis.pcall('SPUBLISH', ARGV[2], '0')
    end
    redis.call('DEL', KEYS[1])
end

-- Whatever becomes of the mark, the lock is free.
if ARGV[3] ~= '0' then
    -- A full server refuses only a script's first write, and only if it may need memory, which DEL does not.
    redis.call('DEL', KEYS[2])
    local reply = redis.pcall('SET', KEYS[2], '', 'PX', ARGV[3])
    if type(reply) == 'table' and reply.err then
        -- A failure, so that the release is asked for again, and frees what such a request may have got in the meantime.
        return { err = 'HOLDFAST the claim holds nothing, but a request of it that arrives late may yet be granted, as it could'
            .. ' not be marked as released: ' .. reply.err }
    end
end
return { held and 'released' or 'gone' }
