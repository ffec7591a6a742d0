-- Put in front of both acquire scripts.

-- The server's clock: a client's own clock would let one whose clock is wrong steal or overstay.
local function server_micros()
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
end

-- One counter for all locks of the prefix, so that no key is left behind for each lock name. The clock lets tokens grow also
-- after the counter was lost with the server's data; the counter lets them grow while the clock stands or was set back.
local function mint_token(counter, now_micros)
    local last = redis.call('GET', counter)
    if last and not tonumber(last) then
        error('HOLDFAST the fencing counter ' .. counter .. ' is not a number')
    end
    local token = math.max(tonumber(last or 0) + 1, now_micros)
    -- %.0f because Lua prints a number of this size as 1.7e+15 by itself.
    redis.call('SET', counter, string.format('%.0f', token))
    return token
end
