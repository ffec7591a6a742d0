-- KEYS: lock, fencing counter. ARGV: claim id, lease in ms, owner, host, pid, thread, how many tokens are wanted, line, places, PUBLISH or
-- SPUBLISH; and of a claim that waits: number of the attempt, channel of its client, 1 if others may come as its owner.
-- Returns a grant, or {ms until it is worth asking again, 0}.
local at = { key = KEYS[1], counter = KEYS[2], line = ARGV[8], places = ARGV[9], publish = ARGV[10] }
local now_micros = server_micros()
local now = math.floor(now_micros / 1000)
local lock = read_lock(KEYS[1], now)
local held = lock.in_force > 0
local lease = tonumber(ARGV[2])
local holder = { owner = ARGV[3], host = ARGV[4], pid = ARGV[5], thread = ARGV[6] }

local free_at = 0
if not held then
    at.ended = lock.ended
    free_at = serve_line(at, ARGV[1], now_micros)
elseif lock.record.owner ~= ARGV[3] then
    free_at = lock.latest
end
if free_at > 0 then
    local pause = free_at - now + 1
    if ARGV[11] then
        holder.kept_until, holder.lease, holder.tokens = now + PLACE_MILLIS, ARGV[2], ARGV[7]
        holder.key, holder.attempt, holder.channel, holder.shared = KEYS[1], ARGV[11], ARGV[12], ARGV[13]
        -- Without a place no message comes.
        pause = math.min(pause, enter_line(at, ARGV[1], holder, now_micros) and PLACE_MILLIS / 3 or 500)
    end
    return { pause, 0 }
end

if not held then
    local token = next_token(KEYS[2], now_micros)
    local tokens = reserved(token, ARGV[7], now_micros)
    local refused = write_record(at, ARGV[1], holder, { token = token, tokens = tokens, since = now, expiry = now + lease })
    if refused then
        return refused
    end
    return told(token, tokens, now_micros, 0)
end

-- The owner enters again. The number of claims is the hold count. A repeated attempt finds its claim here and does not count twice.
local mine = 'claim:' .. ARGV[1]
local expiry = math.max(now + lease, lock.claims[mine] or 0)
call('HSET', KEYS[1], mine, digits(expiry))
local writes = { { 'PEXPIREAT', KEYS[1], digits(math.max(expiry, lock.latest)) } }
for _, field in ipairs(lock.ended) do
    -- An earlier grant of this very claim may have ended.
    if field ~= mine then
        table.insert(writes, { 'HDEL', KEYS[1], field })
    end
end
local refused = write_grant(at, ARGV[1], writes, function()
    if not lock.claims[mine] then
        -- Marked as ended, for the next script to remove: removing it is one of the commands that may be refused.
        redis.pcall('HSET', KEYS[1], mine, '0')
    end
end)
if refused then
    return refused
end
return told(tonumber(lock.record.token), 1, now_micros, 0)
