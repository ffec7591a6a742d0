-- Put in front of every script.

-- Lua computes with doubles. From 2^53 on two neighbours may be the same number, and a token must never repeat.
local TOO_LARGE = 2 ^ 53

-- The number that a text of digits stands for, or nil. tonumber alone also takes 'inf', 'nan', '-5', '1e3' and '0x10'.
local function whole_number(text)
    local number = text and string.find(text, '^%d+$') and tonumber(text)
    return number and number < TOO_LARGE and number or nil
end

local function digits(number)
    -- Lua prints a number of this size as 1.7e+15 by itself.
    return string.format('%.0f', number)
end

-- Reads a key as redis.call does, but gives nil for a key of another type.
local function read(command, key)
    local reply = redis.pcall(command, key)
    if type(reply) ~= 'table' or not reply.err then
        return reply
    end
    if string.find(reply.err, 'WRONGTYPE', 1, true) then
        return nil
    end
    -- Fails again, and this time for the caller of the script.
    return redis.call(command, key)
end

local function wrong_type(key, wanted)
    error('HOLDFAST WRONGTYPE the key ' .. key .. ' is no ' .. wanted
        .. ': another program uses it, or a client of the other layout. Use another prefix, or delete the key')
end

-- A value of somebody else, made fit for a message.
local function shown(value)
    return "'" .. string.gsub(string.sub(value, 1, 32), '[^ -~]', '?') .. (#value > 32 and '...' or '') .. "'"
end
