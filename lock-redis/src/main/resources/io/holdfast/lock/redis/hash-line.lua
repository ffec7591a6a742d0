-- Put in front of the acquire and the release script of the hash layout: the line of the claims that wait for a lock.
--
-- A sorted set has the claims by the time at which they came, a hash what each of them asks for. Both are used without being declared as
-- keys: while the slot of a lock moves in a cluster, a script that declares a key which is not there is refused, and so is a command for
-- such a key; then nobody seems to wait.

-- For so long a place is kept without a further attempt of its claim, which makes one every 5 seconds.
local PLACE_MILLIS = 15000

-- For so long a place is kept whose client did not listen when the lock was free: a waiter that is not subscribed polls.
local UNHEARD_MILLIS = 2000

-- For so long the lock stays free for a claim that was passed over and has attempted again since: longer than between two polls.
local POLL_MILLIS = 600

-- So many places are looked at for one claim at most: nothing else runs on the server meanwhile.
local MOST_PLACES = 32

-- Runs a command on one of the two keys. Returns nil if the server refuses it for another reason than a missing right.
local function in_line(...)
    local reply = redis.pcall(...)
    local err = failure(reply)
    local missing = err and denied(err, ...)
    if missing then
        error(missing, 0)
    elseif err then
        return nil
    end
    return reply
end

-- Returns whether the claim had a place.
local function leave_line(at, claim)
    local removed = in_line('ZREM', at.line, claim)
    in_line('HDEL', at.places, claim)
    return removed == 1
end

local function write_place(at, claim, place)
    return in_line('HSET', at.places, claim, cmsgpack.pack(place))
end

-- The place of a claim; false if it has none, or one that cannot be read; nil if the server refuses to tell.
local function read_place(at, claim)
    local packed = in_line('HGET', at.places, claim)
    if not packed then
        return packed
    end
    local readable, place = pcall(cmsgpack.unpack, packed)
    return readable and type(place) == 'table' and place.channel and place
end

-- Takes or keeps a place. Returns whether that worked: the server may be too full for it.
local function enter_line(at, claim, place, now_micros)
    local added = in_line('ZADD', at.line, 'NX', digits(now_micros), claim)
    local before = added == 0 and read_place(at, claim)
    if before then
        place.returns, place.reserved_until = before.passed_over, before.reserved_until
    end
    return added and write_place(at, claim, place)
        and in_line('PEXPIRE', at.line, PLACE_MILLIS) and in_line('PEXPIRE', at.places, PLACE_MILLIS)
end

-- The claim at a place of the line, counted from 0; nil behind the last one.
local function claim_at(at, index)
    local claims = in_line('ZRANGE', at.line, index, index)
    return claims and claims[1]
end

-- Whether the client of a place is subscribed at this server. Asked before the grant is written: a message cannot be called back, and others
-- than this server's clients may hear it, those of a replica for example.
local function listens(at, place)
    -- In a cluster clients subscribe to shards, but for a server before 7.0.
    for _, numsub in ipairs(at.publish == 'SPUBLISH' and { 'SHARDNUMSUB', 'NUMSUB' } or { 'NUMSUB' }) do
        local reply = redis.pcall('PUBSUB', numsub, place.channel)
        local err = failure(reply)
        local missing = err and denied(err, 'PUBSUB|' .. numsub, place.channel)
        if missing then
            error(missing, 0)
        elseif (tonumber(reply[2]) or 0) > 0 then
            return true
        end
    end
    return false
end

-- Runs the writes of a grant one after the other, and last removes the claim from the line: a full server refuses only a script's first
-- write, which must be the record's. Returns the error if a command is refused, and undoes the earlier ones: a script that fails keeps what it
-- has written, and the user may lack the right to any of them.
local function write_grant(at, claim, writes, undo)
    for _, write in ipairs(writes) do
        local reply = redis.pcall(unpack(write))
        local err = failure(reply)
        if err then
            undo()
            local missing = denied(err, write[1], write[2])
            return missing and redis.error_reply(missing) or reply
        end
    end
    local left, problem = pcall(leave_line, at, claim)
    if not left then
        undo()
        return redis.error_reply(problem)
    end
    return nil
end

-- Writes the record of a lock that was free, and takes its tokens. Returns the error if a command is refused, and writes nothing then.
local function write_record(at, claim, holder, grant)
    local writes = {
        { 'HSET', at.key, 'claim:' .. claim, digits(grant.expiry), 'owner', holder.owner, 'token', digits(grant.token),
            'since', digits(grant.since), 'host', holder.host, 'pid', holder.pid, 'thread', holder.thread },
        { 'PEXPIREAT', at.key, digits(grant.expiry) },
        { 'SET', at.counter, digits(grant.token + grant.tokens - 1) },
    }
    for _, field in ipairs(at.ended or {}) do
        if field ~= 'claim:' .. claim then
            table.insert(writes, { 'HDEL', at.key, field })
        end
    end
    return write_grant(at, claim, writes, function()
        -- After a write, also of nothing, a full server refuses no command of the script any more, and it may have other claims to answer.
        if redis.pcall('EXISTS', at.key) ~= 0 then
            redis.pcall('DEL', at.key)
        end
    end)
end

-- The other claims of an owner that was granted the lock may re-enter. Those that are not woken here find out when they attempt again.
local function wake_same_owner(at, owner)
    for _, claim in ipairs(in_line('ZRANGE', at.line, 0, MOST_PLACES - 1) or {}) do
        local other = read_place(at, claim)
        if other and other.owner == owner then
            publish(at.publish, other.channel, claim)
        end
    end
end

-- Grants a free lock to a waiting claim and tells its client, by a message that names the claim's latest attempt.
local function grant(at, claim, place, now_micros)
    local now = math.floor(now_micros / 1000)
    local token = next_token(at.counter, now_micros)
    local tokens = reserved(token, place.tokens, now_micros)
    local refused = write_record(at, claim, place,
        { token = token, tokens = tokens, since = now, expiry = now + tonumber(place.lease) })
    if refused then
        error(refused.err, 0)
    end
    local message = table.concat({ claim, place.attempt, digits(token), digits(tokens), digits(now_micros) }, ' ')
    local _, unpublished = try_publish(at.publish, place.channel, message)
    if unpublished then
        call('DEL', at.key)
        error(unpublished, 0)
    end
    if place.shared == '1' then
        wake_same_owner(at, place.owner)
    end
end

-- Passes over a claim whose client does not listen. Returns until when the lock stays free for the claim, which has attempted again since it was
-- passed over before; 0 if it does not.
local function pass_over(at, claim, place, now)
    if place.returns then
        place.returns, place.reserved_until = nil, now + POLL_MILLIS
    end
    local reserved_until = (place.reserved_until or 0) > now and place.reserved_until or 0
    if not place.passed_over or place.kept_until > now + UNHEARD_MILLIS then
        place.passed_over, place.kept_until = true, math.min(place.kept_until, now + UNHEARD_MILLIS)
        write_place(at, claim, place)
    end
    return reserved_until
end

-- Grants a free lock to the first claim in the line whose client listens, but to none that comes after the asker. Returns when the
-- asker may get the lock, in ms of the server's clock; 0 for now.
local function serve_line(at, asker, now_micros)
    local now = math.floor(now_micros / 1000)
    local free_at, index = 0, 0
    local claim = claim_at(at, index)
    while claim and claim ~= asker and index < MOST_PLACES do
        local place = read_place(at, claim)
        if place == nil then
            return free_at
        elseif not place or place.kept_until < now then
            leave_line(at, claim)
        elseif place.key ~= at.key then
            index = index + 1
        elseif listens(at, place) then
            grant(at, claim, place, now_micros)
            return now + tonumber(place.lease)
        else
            local reserved_until = pass_over(at, claim, place, now)
            if reserved_until > 0 then
                return reserved_until
            end
            free_at = math.max(free_at, place.kept_until)
            index = index + 1
        end
        claim = claim_at(at, index)
    end
    return free_at
end
