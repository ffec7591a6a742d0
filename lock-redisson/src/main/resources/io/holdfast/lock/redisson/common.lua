-- Put in front of every script.

-- Lua computes with doubles. From 2^53 on two neighbours may be the same number, and a token must never repeat.
local TOO_LARGE = 2 ^ 53

-- How long the record of a lock outlasts its lease. It has the last token in it: a server's clock that is set back by less than
-- this cannot make a token repeat.
local DAY_MILLIS = 86400000

-- The number that a text of digits stands for, or nil. tonumber alone also takes 'inf', 'nan', '-5', '1e3' and '0x10'.
local function whole_number(text)
    local number = text and string.find(text, '^%d+$') and tonumber(text)
    return number and number < TOO_LARGE and number or nil
end

local function digits(number)
    -- Lua prints a number of this size as 1.7e+15 by itself.
    return string.format('%.0f', number)
end

local function is_hash(key)
    return redis.call('TYPE', key).ok == 'hash'
end

-- Whether the claim is in force. What else may have taken the key, of whatever type, is not this claim's.
local function in_force(key, claim)
    return is_hash(key) and redis.call('HEXISTS', key, claim) == 1
end

local function prolong(key, millis)
    if redis.call('PTTL', key) < millis then
        redis.call('PEXPIRE', key, digits(millis))
    end
end
