-- Put in front of the release script, which has all the other cases: releases the only claim of a record, which has six more fields, and grants the
-- lock to the first claim that waits, if its client listens. The claim is in force, as Redis removes the key at the end of the last
-- claim. See hash-acquire-fast.lua.
local run, answers, left, claims = redis.pcall, {}, {}, #KEYS
local each = #ARGV / claims
for i, key in ipairs(KEYS) do
    local at = (i - 1) * each
    local claim, line = ARGV[at + 1], ARGV[at + 3]
    if run('HLEN', key) == 7 and (tonumber(run('HGET', key, 'claim:' .. claim)) or 0) > 0 then
        local waiting = run('EXISTS', line)
        local first = waiting == 1 and run('ZRANGE', line, 0, 0) or {}
        if waiting == 0 then
            answers[i] = run('DEL', key) == 1 and 1 or nil
        elseif first[1] and first[1] ~= claim then
            local counter, places, publish = ARGV[at + 2], ARGV[at + 4], ARGV[at + 5]
            local packed, time, last = run('HGET', places, first[1]), run('TIME'), run('GET', counter)
            local readable, place = pcall(cmsgpack.unpack, packed)
            local now_micros = time[1] and time[1] * 1000000 + time[2] or 0
            local now = math.floor(now_micros / 1000)
            local usual = time[1] and readable and type(place) == 'table' and place.channel and place.key == key
                and (tonumber(place.kept_until) or 0) >= now and tonumber(place.lease) and tonumber(place.tokens) and place.attempt
                and place.shared == '0' and (last == false or type(last) == 'string' and string.find(last, '^%d+$') and tonumber(last) < now_micros)
            local listeners = usual and run('PUBSUB', publish == 'SPUBLISH' and 'SHARDNUMSUB' or 'NUMSUB', place.channel)
            if listeners and (tonumber(listeners[2]) or 0) > 0 and run('DEL', key) == 1 then
                answers[i] = 1
                local token, expiry = string.format('%.0f', now_micros), string.format('%.0f', now + place.lease)
                local added = run('HSET', key, 'claim:' .. first[1], expiry, 'owner', place.owner, 'token', token, 'since', string.format('%.0f', now),
                    'host', place.host, 'pid', place.pid, 'thread', place.thread)
                if type(added) == 'number' and run('PEXPIREAT', key, expiry) == 1
                    and run('SET', counter, string.format('%.0f', now_micros + place.tokens - 1)).ok
                    and type(run(publish, place.channel, first[1] .. ' ' .. place.attempt .. ' ' .. token .. ' ' .. place.tokens .. ' ' .. token)) == 'number' then
                    run('ZREM', line, first[1])
                    run('HDEL', places, first[1])
                else
                    run('DEL', key)
                    -- For another claim of the line to be granted the lock.
                    left[#left + 1] = i
                end
            end
        end
    end
    if not answers[i] then
        left[#left + 1] = i
    end
end
