-- Put in front of the release script, which has all the other cases: releases the only claim of a record, which has six more fields, and grants the
-- lock to the first claim that waits, if its client listens. The claim is in force, as Redis removes the key at the end of the last
-- claim. See hash-acquire-fast.lua.
local run, key, freed = redis.pcall, KEYS[1], false
if run('HLEN', key) == 7 and (tonumber(run('HGET', key, 'claim:' .. ARGV[1])) or 0) > 0 then
    local first = run('ZRANGE', ARGV[3], 0, 0)
    if not first.err and not first[1] then
        if run('DEL', key) == 1 then
            return 1
        end
    elseif first[1] and first[1] ~= ARGV[1] then
        local packed, time, last = run('HGET', ARGV[4], first[1]), run('TIME'), run('GET', ARGV[2])
        local readable, place = pcall(cmsgpack.unpack, packed)
        local now_micros = time[1] and time[1] * 1000000 + time[2] or 0
        local now = math.floor(now_micros / 1000)
        local usual = time[1] and readable and type(place) == 'table' and place.channel and place.key == key and place.kept_until >= now
            and place.shared == '0' and (last == false or type(last) == 'string' and string.find(last, '^%d+$') and tonumber(last) < now_micros)
        local listeners = usual and run('PUBSUB', ARGV[5] == 'SPUBLISH' and 'SHARDNUMSUB' or 'NUMSUB', place.channel)
        if listeners and (tonumber(listeners[2]) or 0) > 0 and run('DEL', key) == 1 then
            freed = true
            local token, expiry = string.format('%.0f', now_micros), string.format('%.0f', now + place.lease)
            local added = run('HSET', key, 'claim:' .. first[1], expiry, 'owner', place.owner, 'token', token, 'since', string.format('%.0f', now),
                'host', place.host, 'pid', place.pid, 'thread', place.thread)
            if type(added) == 'number' and run('PEXPIREAT', key, expiry) == 1
                and run('SET', ARGV[2], string.format('%.0f', now_micros + place.tokens - 1)).ok
                and type(run(ARGV[5], place.channel, first[1] .. ' ' .. place.attempt .. ' ' .. token .. ' ' .. place.tokens .. ' ' .. token)) == 'number' then
                run('ZREM', ARGV[3], first[1])
                run('HDEL', ARGV[4], first[1])
                return 1
            end
            run('DEL', key)
        end
    end
end
