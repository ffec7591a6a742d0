-- Put in front of the usual case of the acquire scripts.

-- Takes tokens from the counter, by one command that answers what it was before. Returns the first token, as a number; the server's clock in micros,
-- as a number and as a text; and whether each claim gets as many as it wants. Else each gets one, as the last would be more than 10 ms ahead of the
-- clock, see fence.lua. Returns nil if the server refuses a command, or if the counter is not as it should be.
local function take_tokens(counter, wanted, claims)
    local run = redis.pcall
    local time = run('TIME')
    if not time[1] then
        return nil
    end
    -- Micros have up to six digits. Joined, as string.format takes as long as a command.
    local clock = time[1] .. string.sub('00000' .. time[2], -6)
    local now_micros = tonumber(clock)
    local count = wanted <= 10001 and wanted or claims
    local last = run('SET', counter, count == 1 and clock or string.format('%.0f', now_micros + count - 1), 'GET')
    if last == false then
        return now_micros, now_micros, clock, count == wanted
    elseif type(last) ~= 'string' then
        return nil
    end
    local number = string.find(last, '^%d+$') and tonumber(last) or 2 ^ 52
    if number < now_micros then
        return now_micros, now_micros, clock, count == wanted
    elseif number >= 2 ^ 52 then
        -- Put back, for the other cases to say what is wrong with it.
        run('SET', counter, last)
        return nil
    end
    count = number + wanted <= now_micros + 10000 and wanted or claims
    run('SET', counter, string.format('%.0f', number + count))
    return number + 1, now_micros, clock, count == wanted
end
