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
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[2])
if mine and known[1] == ARGV[1] then
    prolong(KEYS[1], lease)
    return { 'granted', digits(last) }
end

local token
if KEYS[4] then
    local counter = redis.call('GET', KEYS[4])
    local drawn = counter == false and 0 or whole_number(counter)
    token = drawn and math.max(drawn, last) + 1
    if not token or token >= TOO_LARGE then
        error('HOLDFAST the counter ' .. KEYS[4] .. ' is not a whole number below 2^53 - 1. No lock is granted, as a token might repeat')
    end
else
    token = math.max(time[1] * 1000000 + time[2], last + 1)
    if token >= TOO_LARGE then
        error('HOLDFAST the field token of the key ' .. KEYS[2] .. ' has no successor below 2^53')
    end
end

-- A script that fails keeps what it has written, and the user may lack the right to any of these commands: so what follows the
-- first write is undone if one of them is refused. The first needs memory, as a full server refuses only a script's first write.
local left = redis.call('PTTL', KEYS[1])
local recorded = redis.call('EXISTS', KEYS[2]) == 1
redis.call('HSET', KEYS[1], ARGV[1], '1')
local writes = {
    { 'PEXPIRE', KEYS[1], digits(math.max(left, lease)) },
    { 'HSET', KEYS[2], 'claim', ARGV[1], 'token', digits(token), 'since', digits(now),
        'owner', ARGV[3], 'host', ARGV[4], 'pid', ARGV[5], 'thread', ARGV[6] },
    -- Beyond the token where it is a time: from then on the clock itself is ahead of it, and the record is not needed.
    { 'PEXPIREAT', KEYS[2], digits(math.max(now, math.floor(token / 1000)) + lease + DAY_MILLIS) },
    KEYS[4] and { 'SET', KEYS[4], digits(token) },
}
for _, write in ipairs(writes) do
    local reply = redis.pcall(unpack(write))
    if type(reply) == 'table' and reply.err then
        if not mine then
            redis.pcall('DEL', KEYS[1])
        end
        if not recorded then
            redis.pcall('DEL', KEYS[2])
        end
        return reply
    end
end
return { 'granted', digits(token) }
