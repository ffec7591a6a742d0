-- KEYS: lock, record, mark of the withdrawn claim, counter of RFencedLock (layout fenced only).
-- ARGV: claim, lease in ms, owner, host, pid, thread.
-- Returns {'granted', token}, {'contended', ms until the lease of the holder ends}, or {'withdrawn'}.

-- A bid that was under way for so long that its claim has been released meanwhile: nobody would ever release it again.
if redis.call('EXISTS', KEYS[3]) == 1 then
    return { 'withdrawn' }
end

-- What Redisson asks, too. Its hold count would be raised by a bid that arrives twice; the claim's is always 1.
local mine = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
if not mine and redis.call('EXISTS', KEYS[1]) == 1 then
    return { 'contended', digits(redis.call('PTTL', KEYS[1])) }
end

local known = redis.call('HMGET', KEYS[2], 'claim', 'token')
local last = known[2] == false and 0 or whole_number(known[2])
if not last then
    error('HOLDFAST the field token of the key ' .. KEYS[2] .. ' is not a whole number below 2^53: somebody else changed it.'
        .. ' No lock is granted, as a token might repeat. Set it to the highest token that was ever granted')
end

local time = redis.call('TIME')
local lease = tonumber(ARGV[2])
local token = last
if not (mine and known[1] == ARGV[1]) then
    if KEYS[4] then
        -- The counter first: it fails if it is no number, and a script that fails keeps what it has written.
        local drawn = redis.call('INCR', KEYS[4])
        token = math.max(drawn, last + 1)
        if token >= TOO_LARGE or drawn < 1 then
            error('HOLDFAST the counter ' .. KEYS[4] .. ' is not below 2^53, or below 1. No lock is granted, as a token might repeat')
        end
        if token > drawn then
            redis.call('SET', KEYS[4], digits(token))
        end
    else
        token = math.max(time[1] * 1000000 + time[2], last + 1)
        if token >= TOO_LARGE then
            error('HOLDFAST the field token of the key ' .. KEYS[2] .. ' has no successor below 2^53')
        end
    end
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    redis.call('HSET', KEYS[2], 'claim', ARGV[1], 'token', digits(token), 'since', digits(now),
        'owner', ARGV[3], 'host', ARGV[4], 'pid', ARGV[5], 'thread', ARGV[6])
    -- Beyond the token where it is a time: from then on the clock itself is ahead of it, and the record is not needed.
    redis.call('PEXPIREAT', KEYS[2], digits(math.max(now, math.floor(token / 1000)) + lease + DAY_MILLIS))
    redis.call('HSET', KEYS[1], ARGV[1], '1')
end
prolong(KEYS[1], lease)
return { 'granted', digits(token) }
