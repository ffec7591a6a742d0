-- Put in front of the acquire and the release script of the hash layout: the line of the claims that wait for a lock.
--
-- A sorted set has the claims by the time at which they came, a hash what each of them asks for. Both are used without being declared as
-- keys: while the slot of a lock moves in a cluster, a script that declares a key which is not there is refused, and so is a command for
-- such a key; then nobody seems to wait.

-- For so long a place is kept without a further attempt of its claim, which makes one every 5 seconds.
local PLACE_MILLIS = 15000

-- For so long a place is kept whose client did not listen when the lock was free: a waiter that is not subscribed polls.
local UNHEARD_MILLIS = 2000

-- Runs a command on one of the two keys. Returns nil if the server refuses it for another reason than a missing right.
local function in_line(...)
    local reply = redis.pcall(...)
    local err = failure(reply)
    local missing = err and not string.find(err, 'non local key', 1, true) and denied(err, ...)
    if missing then
        error(missing)
    end
    return not err and reply or nil
end

local function leave_line(at, claim)
    if in_line('ZREM', at.line, claim) == 1 then
        in_line('HDEL', at.places, claim)
    end
end

local function write_place(at, claim, place)
    return in_line('HSET', at.places, claim, cmsgpack.pack(place))
end

-- Takes or keeps a place. Returns whether that worked: the server may be too full for it.
local function enter_line(at, claim, place, now_micros)
    return in_line('ZADD', at.line, 'NX', digits(now_micros), claim) and write_place(at, claim, place)
        and in_line('PEXPIRE', at.line, PLACE_MILLIS) and in_line('PEXPIRE', at.places, PLACE_MILLIS)
end

-- The claim at a place of the line, counted from 0; nil behind the last one.
local function claim_at(at, index)
    local claims = in_line('ZRANGE', at.line, index, index)
    return claims and claims[1]
end

-- Writes the record of a lock that was free, and takes its tokens. Returns the error if a command is refused, and undoes the earlier
-- ones: a script that fails keeps what it has written, and the user may lack the right to any of them.
local function write_record(at, claim, holder, grant)
    local writes = {
        { 'HSET', at.key, 'claim:' .. claim, digits(grant.expiry), 'owner', holder.owner, 'token', digits(grant.token),
            'since', digits(grant.since), 'host', holder.host, 'pid', holder.pid, 'thread', holder.thread },
        { 'PEXPIREAT', at.key, digits(grant.expiry) },
        { 'SET', at.counter, digits(grant.token + grant.tokens - 1) },
    }
    for _, write in ipairs(writes) do
        local reply = redis.pcall(unpack(write))
        local err = failure(reply)
        if err then
            redis.pcall('DEL', at.key)
            local missing = denied(err, write[1], write[2])
            return missing and redis.error_reply(missing) or reply
        end
    end
    return nil
end

-- The other claims of an owner that was granted the lock may re-enter.
local function wake_same_owner(at, owner)
    local flat = in_line('HGETALL', at.places) or {}
    for i = 1, #flat, 2 do
        local other = cmsgpack.unpack(flat[i + 1])
        if other.owner == owner then
            publish(at.publish, other.channel, flat[i])
        end
    end
end

-- Grants a free lock to a waiting claim and tells its client, by a message that names the claim's latest attempt. Returns false, and
-- leaves the lock free, if the client does not listen.
local function grant(at, claim, place, now_micros)
    local now = math.floor(now_micros / 1000)
    local token = next_token(at.counter, now_micros)
    local tokens = reserved(token, place.tokens, now_micros)
    local refused = write_record(at, claim, place,
        { token = token, tokens = tokens, since = now, expiry = now + tonumber(place.lease) })
    if refused then
        error(refused.err)
    end
    local message = table.concat({ claim, place.attempt, digits(token), digits(tokens), digits(now_micros) }, ' ')
    local listeners, unpublished = try_publish(at.publish, place.channel, message)
    if listeners == 0 or unpublished then
        call('DEL', at.key)
        return unpublished and error(unpublished)
    end
    leave_line(at, claim)
    if place.shared == '1' then
        wake_same_owner(at, place.owner)
    end
    return true
end

-- Grants a free lock to the first claim in the line whose client listens, but to none that comes after the asker. Returns when the
-- asker may get the lock, in ms of the server's clock; 0 for now.
local function serve_line(at, asker, now_micros)
    local now = math.floor(now_micros / 1000)
    local free_at, index = 0, 0
    local claim = claim_at(at, index)
    while claim and claim ~= asker do
        local packed = in_line('HGET', at.places, claim)
        local place = packed and cmsgpack.unpack(packed)
        if not place or place.kept_until < now then
            leave_line(at, claim)
        elseif grant(at, claim, place, now_micros) then
            return now + tonumber(place.lease)
        else
            place.kept_until = math.min(place.kept_until, now + UNHEARD_MILLIS)
            write_place(at, claim, place)
            free_at = math.max(free_at, place.kept_until)
            index = index + 1
        end
        claim = claim_at(at, index)
    end
    return free_at
end
