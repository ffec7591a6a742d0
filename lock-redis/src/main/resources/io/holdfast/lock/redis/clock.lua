-- Put in front of the usual case of the acquire scripts.

-- The server's clock in micros, as a number and as a text, and the next token; nil if one of them cannot be read.
local function clock_and_token(counter)
    local time, last = redis.pcall('TIME'), redis.pcall('GET', counter) or '0'
    local now_micros = time[1] and time[1] * 1000000 + time[2]
    if now_micros and type(last) == 'string' and string.find(last, '^%d+$') and tonumber(last) < 2 ^ 52 then
        return now_micros, string.format('%.0f', now_micros), math.max(last + 1, now_micros)
    end
    return nil
end

-- How many of the wanted tokens a grant gets: one, if the others would be more than 10 ms ahead of the clock, see fence.lua.
local function tokens_of(wanted, token, now_micros)
    return token + wanted - 1 <= now_micros + 10000 and wanted or '1'
end

-- Writes the last token to the counter. Takes the grants back if the server refuses that.
local function count_tokens(token, granted, answers, left)
    if granted[1] and not redis.pcall('SET', KEYS[2], string.format('%.0f', token - 1)).ok then
        for _, i in ipairs(granted) do
            redis.pcall('DEL', KEYS[2 * i - 1])
            answers[i] = nil
            left[#left + 1] = i
        end
    end
end
