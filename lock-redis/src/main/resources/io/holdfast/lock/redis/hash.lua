-- Put in front of every script of the hash layout.

-- Reads the reply of HGETALL: what every record has, in a table of its own, and the claims in force, from claim field to expiry
-- in ms. Writes nothing, as the hash may be a stranger's. Redis itself expires only the key, at the latest of its claims.
local function parse(flat, now)
    local lock = { record = {}, claims = {}, ended = {}, in_force = 0, latest = 0 }
    for i = 1, #flat, 2 do
        local field, value = flat[i], flat[i + 1]
        local expiry = whole_number(value)
        if string.sub(field, 1, 6) ~= 'claim:' then
            lock.record[field] = value
        elseif not expiry then
            lock.unreadable = field
        elseif expiry < now then
            table.insert(lock.ended, field)
        else
            lock.claims[field] = expiry
            lock.in_force = lock.in_force + 1
            lock.latest = math.max(lock.latest, expiry)
        end
    end
    return lock
end

local function changed_field(key, field)
    error('HOLDFAST the field ' .. field .. ' of the key ' .. key .. ' is not a whole number that a lock has there: somebody'
        .. ' else changed it. Delete the key when nobody holds the lock')
end

-- For a bid: a free lock has an empty record. Somebody else's hash must be neither taken over nor changed, so it has to have all
-- that a record of this layout has; and a script that fails keeps what it has written, so this comes before all writing.
local function read_lock(key, now)
    local flat = read('HGETALL', key)
    if not flat then
        wrong_type(key, 'hash')
    end
    local lock = parse(flat, now)
    if #flat == 0 then
        return lock
    end
    for _, field in ipairs({ 'owner', 'token', 'since', 'host', 'pid', 'thread' }) do
        if not lock.record[field] then
            error('HOLDFAST the key ' .. key .. ' is a hash but no lock of this layout: it has no field ' .. field
                .. '. Use another prefix, or delete the key')
        end
    end
    for _, field in ipairs({ 'token', 'since' }) do
        if (whole_number(lock.record[field]) or 0) == 0 then
            changed_field(key, field)
        end
    end
    if lock.unreadable then
        changed_field(key, lock.unreadable)
    end
    return lock
end

-- For a claim that was granted: nil unless it is in force. A claim's id is never used again, so the hash that has a field for it
-- is the one that it was granted in, and whatever else the key may hold by now has taken its place.
local function read_granted(key, mine, now)
    local lock = parse(read('HGETALL', key) or {}, now)
    if not lock.claims[mine] then
        return nil
    end
    if lock.unreadable then
        changed_field(key, lock.unreadable)
    end
    return lock
end

-- Removes the claims whose time has run out, from a lock that is known to be one.
local function tidy(key, lock)
    for _, field in ipairs(lock.ended) do
        call('HDEL', key, field)
    end
end

local function now_millis()
    local time = call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function expire_at(key, millis)
    call('PEXPIREAT', key, digits(millis))
end
