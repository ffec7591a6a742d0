-- Put in front of every script of the hash layout.

-- The record of the lock: owner, token and holder in a table of their own, claims in force as a table from claim field to expiry in ms.
-- Claims whose time has run out are removed when they are seen; Redis itself expires only the key, at the latest of them.
local function read_lock(key, now)
    local flat = redis.call('HGETALL', key)
    local lock = { record = {}, claims = {}, in_force = 0, latest = 0 }
    local ended, unreadable = {}, nil
    for i = 1, #flat, 2 do
        local field, value = flat[i], flat[i + 1]
        local expiry = tonumber(value)
        if string.sub(field, 1, 6) ~= 'claim:' then
            lock.record[field] = value
        elseif not expiry then
            unreadable = field
        elseif expiry < now then
            table.insert(ended, field)
        else
            lock.claims[field] = expiry
            lock.in_force = lock.in_force + 1
            lock.latest = math.max(lock.latest, expiry)
        end
    end
    -- Somebody else's hash must be neither taken over nor changed, and a script that fails keeps what it has written.
    if #flat > 0 and not lock.record.owner then
        error('HOLDFAST the key ' .. key .. ' is a hash but no lock of this layout')
    end
    if unreadable then
        error('HOLDFAST the field ' .. unreadable .. ' of the key ' .. key .. ' is not a number')
    end
    for _, field in ipairs(ended) do
        redis.call('HDEL', key, field)
    end
    return lock
end

local function now_millis()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function expire_at(key, millis)
    redis.call('PEXPIREAT', key, string.format('%.0f', millis))
end
