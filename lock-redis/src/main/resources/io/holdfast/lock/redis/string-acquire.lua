-- KEYS: lock, fencing counter. ARGV: claim id, lease in ms, the record from the pid on, how many tokens are wanted, and from a quorum a
-- token that it proposes. Returns a grant,
-- or {ms until the lock is free at the latest or -1, 1 if the holder is foreign, id of the holder's claim}.
local value = read('GET', KEYS[1])
if value == nil then
    wrong_type(KEYS[1], 'string')
end
if belongs_to(value, ARGV[1]) then
    local _, _, _, token = string.find(value, OURS)
    token = whole_number(token) or 0
    if token == 0 then
        error('HOLDFAST the token in the key ' .. KEYS[1] .. ' is not one that a lock has there: another program changed it.'
            .. ' Delete the key when nobody holds the lock')
    end
    -- A repeated attempt never shortens the lease of the first. It writes in any case, for WAIT to confirm it.
    if call('PTTL', KEYS[1]) <= tonumber(ARGV[2]) then
        call('PEXPIRE', KEYS[1], ARGV[2])
    end
    return told(token, 1, server_micros(), 1)
end
if value then
    -- A foreign holder, with SET NX PX, publishes no message when it releases, so the caller has to poll.
    local left = call('PTTL', KEYS[1])
    -- In its last millisecond a key has 0 left, which must not be read as "without an end".
    return { left < 0 and left or left + 1, string.find(value, OURS) and 0 or 1, string.match(value, '^%S*') }
end

local now_micros = server_micros()
local token = next_token(KEYS[2], now_micros, tonumber(ARGV[5]))
local tokens = reserved(token, ARGV[4], now_micros)
local record = string.format('%s %.0f %.0f %s', ARGV[1], token, math.floor(now_micros / 1000), ARGV[3])
-- First the counter: a script that fails keeps what it has written, and an unused token is harmless.
call('SET', KEYS[2], digits(token + tokens - 1))
call('SET', KEYS[1], record, 'NX', 'PX', ARGV[2])
return told(token, tokens, now_micros, 0)
