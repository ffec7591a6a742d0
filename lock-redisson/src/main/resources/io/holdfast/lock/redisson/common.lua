-- Part of every script, behind the one for the ordinary case if there is one.

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

-- The value of a counter of tokens; 0 if there is none yet.
local function last_token(counter)
    local value = redis.call('GET', counter)
    local last = value == false and 0 or whole_number(value)
    if not last then
        error('HOLDFAST the counter ' .. counter .. ' is not a whole number below 2^53: another program changed it. No lock is'
            .. ' granted, as a token might repeat. Set it to the highest token that was ever granted')
    end
    return last
end

local function is_hash(key)
    return redis.call('TYPE', key).ok == 'hash'
end

-- Whether the claim is in force. The key may have another type by now.
local function in_force(key, claim)
    return is_hash(key) and redis.call('HEXISTS', key, claim) == 1
end

local function prolong(key, millis)
    if redis.call('PTTL', key) < millis then
        redis.call('PEXPIRE', key, digits(millis))
    end
end

local function server_micros()
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
end

-- Stands for the clock that ends the lease. A cluster has one for each node; empty if the user may not ask which node this is. Elsewhere
-- there is one master at a time: after a fail-over the clock of the new one ends the leases that the old one granted.
local function clock_of(topology)
    local id = topology == 'CLUSTER' and redis.pcall('CLUSTER', 'MYID') or topology
    return type(id) == 'string' and id or ''
end
