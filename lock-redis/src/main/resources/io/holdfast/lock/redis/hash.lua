-- Put in front of every script of the hash layout.

-- Parses the reply of HGETALL into the fields of the record and the claims in force, from claim field to expiry in ms. Writes
-- nothing, as the hash may be foreign. Redis itself expires only the key, at the latest of its claims.
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
    error('HOLDFAST the field ' .. field .. ' of the key ' .. key .. ' is not a whole number that a lock has there: another'
        .. ' program changed it. Delete the key when nobody holds the lock')
end

-- For an attempt: a free lock has an empty record. A foreign hash must not be changed, so the hash needs all fields of a record. This
-- comes before the first write, as a script that fails keeps what it has written.
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

-- For a granted claim: nil unless it is in force. The id of a claim is unique, so a hash with a field for it is the one that it was
-- granted in.
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

-- Removes expired claims, from a hash that is known to be a lock.
local function tidy(key, lock)
    for _, field in ipairs(lock.ended) do
        call('HDEL', key, field)
    end
end

local function now_millis()
    return math.floor(server_micros() / 1000)
end

local function expire_at(key, millis)
    call('PEXPIREAT', key, digits(millis))
end
