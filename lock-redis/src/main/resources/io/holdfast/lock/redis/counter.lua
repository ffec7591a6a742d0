-- KEYS: fencing counter. ARGV: the number that later tokens have to exceed; nothing if the counter is only read.
-- Returns {a number that no token of this counter has exceeded so far}.
local last = last_token(KEYS[1])
if ARGV[1] then
    -- Never lowers it. It writes in any case, for WAIT to confirm it.
    last = math.max(last, tonumber(ARGV[1]))
    call('SET', KEYS[1], digits(last))
end
-- If the counter was lost with the server's data, the clock is past the tokens that it had given.
return { math.max(last, server_micros()) }
