-- Put in front of the usual case of the acquire scripts.

-- Takes tokens from the counter, by one command that answers what it was before: as many as the claims want, but beyond those that are 10 ms ahead of
-- the clock only one for each. Returns the first token, as a number, and the server's clock in micros, as a number and as a text; nil if the server
-- refuses a command, or if the counter is not as it should be.
local function take_tokens(counter, wanted, claims)
    local run = redis.pcall
    local time = run('TIME')
    if not time[1] then
        return nil
    end
    -- Micros have up to six digits. Joined, as string.format takes as long as a command.
    local clock = time[1] .. string.sub('00000' .. time[2], -6)
    local now_micros = tonumber(clock)
    local count = math.min(wanted, 10000 + claims)
    local last = run('SET', counter, count == 1 and clock or string.format('%.0f', now_micros + count - 1), 'GET')
    local number = last == false and 0 or type(last) == 'string' and string.find(last, '^%d+$') and tonumber(last) or 2 ^ 52
    if number < now_micros then
        return now_micros, now_micros, clock
    elseif number < 2 ^ 52 then
        count = math.min(wanted, math.max(now_micros + 10000 - number, 0) + claims)
        run('SET', counter, string.format('%.0f', number + count))
        return number + 1, now_micros, clock
    elseif type(last) == 'string' then
        -- Put back, for the other cases to say what is wrong with it.
        run('SET', counter, last)
    end
    return nil
end

-- How many of the wanted tokens a grant gets: one, if the others would be more than 10 ms ahead of the clock, see fence.lua.
local function tokens_of(wanted, token, now_micros)
    return token + wanted - 1 <= now_micros + 10000 and wanted or '1'
end
