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

local function failure(reply)
    return type(reply) == 'table' and reply.err or nil
end

-- The error of a command that the user may not run; nil for any other error. Before 7.2 Redis does not name the command.
local function denied(err, command, key)
    if string.find(err, 'non local key', 1, true) then
        return nil
    elseif string.find(err, "can't access", 1, true) or string.find(err, "can't publish", 1, true)
        or string.find(err, 'to access', 1, true) then
        return 'HOLDFAST NOPERM the user may not run ' .. command .. ' on this key or channel, and needs the permission '
            .. (string.find(command, 'PUBLISH', 1, true) and '&' or '~') .. key
    end
    if string.find(err, 'NOPERM', 1, true) or string.find(err, "can't run this command", 1, true) then
        return 'HOLDFAST NOPERM the user may not run ' .. command .. ', and needs the permission +' .. string.lower(command)
    end
    return nil
end

-- Runs a command as redis.call does, but names it in the error if the user may not run it.
local function call(...)
    local reply = redis.pcall(...)
    local err = failure(reply)
    if not err then
        return reply
    end
    local missing = denied(err, ...)
    if missing then
        error(missing)
    end
    -- Fails again, this time with the server's own error.
    return redis.call(...)
end

-- The server's clock: with clients' clocks, one that is wrong could take a lock too early or keep it too long.
local function server_micros()
    local time = call('TIME')
    return time[1] * 1000000 + time[2]
end

-- Publishes a message, in a cluster by SPUBLISH, and returns how many listen; or nil and the error. A server before 7.0 does not know SPUBLISH,
-- and its clients subscribe by SUBSCRIBE.
local function try_publish(command, channel, message)
    local reply = redis.pcall(command, channel, message)
    local err = failure(reply)
    if not err then
        return reply
    elseif command == 'SPUBLISH' and string.find(err, 'Unknown Redis command', 1, true) then
        return try_publish('PUBLISH', channel, message)
    end
    return nil, denied(err, command, channel) or err
end

local function publish(command, channel, message)
    local listeners, err = try_publish(command, channel, message)
    return listeners or error(err)
end

-- Reads a key; nil for a key of another type.
local function read(command, key)
    local reply = redis.pcall(command, key)
    local err = failure(reply)
    if not err then
        return reply
    end
    if string.find(err, 'WRONGTYPE', 1, true) then
        return nil
    end
    return call(command, key)
end

local function wrong_type(key, wanted)
    error('HOLDFAST WRONGTYPE the key ' .. key .. ' is no ' .. wanted
        .. ': another program uses it, or a client of the other layout. Use another prefix, or delete the key')
end

-- A foreign value, fit for a message.
local function shown(value)
    return "'" .. string.gsub(string.sub(value, 1, 32), '[^ -~]', '?') .. (#value > 32 and '...' or '') .. "'"
end
