-- KEYS: lock, mark of the withdrawn claim, counter of tokens, counter of RFencedLock (layout fenced only).
-- ARGV: claim, lease in ms, owner, host, pid, thread, 'CLUSTER' or 'SINGLE', how many tokens are wanted.
-- Returns {'granted', token, the server's clock in micros, which clock it is, how many tokens it got}, {'contended', ms until the lease
-- of the holder ends}, or {'withdrawn'}.

local function granted(token, micros, tokens)
    return { 'granted', digits(token), digits(micros), clock_of(ARGV[7]), digits(tokens) }
end

-- A request that arrives after the release of its claim: nothing would ever release it again.
if redis.call('EXISTS', KEYS[2]) == 1 then
    return { 'withdrawn' }
end

local lease = tonumber(ARGV[2])
-- As Redisson checks, too. A repeated request would raise Redisson's hold count; that of a claim is always 1.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    local token = whole_number(redis.call('HMGET', KEYS[1], 'token')[1])
    if not token then
        error('HOLDFAST the field token of the key ' .. KEYS[1] .. ' is not a whole number below 2^53: another program changed it.'
            .. ' Delete the key when nobody holds the lock')
    end
    local micros = server_micros()
    prolong(KEYS[1], lease)
    return granted(token, micros, 1)
end
if redis.call('EXISTS', KEYS[1]) == 1 then
    return { 'contended', digits(redis.call('PTTL', KEYS[1])) }
end

local micros = server_micros()
local token, highest
if KEYS[4] then
    token = math.max(last_token(KEYS[3]), last_token(KEYS[4])) + 1
    highest = math.min(token + 9999, TOO_LARGE - 1)
else
    token = math.max(last_token(KEYS[3]) + 1, micros)
    -- For 10 ms at most a grant after the loss of the data could have a token that was reserved before.
    highest = micros + 10000
end
if token >= TOO_LARGE then
    error('HOLDFAST the last token has no successor below 2^53. No lock is granted, as a token might repeat')
end
-- All that are wanted, or one. Later grants draw from the counters, whose value is the last of them.
local tokens = token + ARGV[8] - 1 <= highest and tonumber(ARGV[8]) or 1
local last = digits(token + tokens - 1)

-- First the counters: a script that fails keeps what it has written, and an unused token is harmless. A full server refuses only a
-- script's first write.
redis.call('SET', KEYS[3], last)
if KEYS[4] then
    redis.call('SET', KEYS[4], last)
end
redis.call('HSET', KEYS[1], ARGV[1], '1', 'token', digits(token), 'since', digits(math.floor(micros / 1000)),
    'owner', ARGV[3], 'host', ARGV[4], 'pid', ARGV[5], 'thread', ARGV[6])
local reply = redis.pcall('PEXPIRE', KEYS[1], digits(lease))
if type(reply) == 'table' and reply.err then
    -- The user may lack the right to it, and a lock without expiry must not be left.
    redis.pcall('DEL', KEYS[1])
    -- Fails again, this time with the line in the server's error.
    return redis.call('PEXPIRE', KEYS[1], digits(lease))
end
return granted(token, micros, tokens)
