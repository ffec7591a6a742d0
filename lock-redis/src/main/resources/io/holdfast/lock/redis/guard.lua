-- Put in front of a guarded script, as a function that returns the script's KEYS and ARGV, or an error.
-- KEYS: the floor of each key, then the keys. ARGV: epoch and number of the token, then the arguments.

-- Compares two numbers of at most 20 digits. By halves: Lua's doubles are exact only below 2^53, and its strings compare by the locale.
local function is_below(a, b)
    a = string.rep('0', 20 - #a) .. a
    b = string.rep('0', 20 - #b) .. b
    local high_a, high_b = tonumber(string.sub(a, 1, 10)), tonumber(string.sub(b, 1, 10))
    if high_a ~= high_b then
        return high_a < high_b
    end
    return tonumber(string.sub(a, 11)) < tonumber(string.sub(b, 11))
end

local function is_floor(epoch, number)
    return epoch and #epoch <= 10 and #number <= 19
        and not is_below('2147483647', epoch) and not is_below('9223372036854775807', number)
end

-- Epoch and number of a floor, as texts; below every token if there is none yet.
local function read_floor(key)
    local value = read('GET', key)
    if value == false then
        return '0', '0'
    end
    local _, _, epoch, number = string.find(value or '', '^(%d+):(%d+)$')
    if not is_floor(epoch, number) then
        error('HOLDFAST the floor ' .. key .. ' is ' .. (value and shown(value) or 'no string')
            .. '; allowed is epoch:number, such as 0:1764. The data were not touched, as an earlier holder might be let in.'
            .. ' Set the floor to the highest token that the data have seen')
    end
    return epoch, number
end

local epoch, number, count = ARGV[1], ARGV[2], #KEYS / 2
local to_raise = {}
for i = 1, count do
    local floor_epoch, floor = read_floor(KEYS[i])
    if is_below(epoch, floor_epoch) or (not is_below(floor_epoch, epoch) and is_below(number, floor)) then
        return nil, nil, redis.error_reply('STALETOKEN ' .. floor_epoch .. ':' .. floor)
    end
    if is_below(floor_epoch, epoch) or is_below(floor, number) then
        to_raise[#to_raise + 1] = KEYS[i]
    end
end
-- Before the script: if it fails midway, what it has written is protected from earlier holders.
for _, key in ipairs(to_raise) do
    call('SET', key, epoch .. ':' .. number)
end
local keys, arguments = {}, {}
for i = count + 1, #KEYS do
    keys[#keys + 1] = KEYS[i]
end
for i = 3, #ARGV do
    arguments[#arguments + 1] = ARGV[i]
end
return keys, arguments
