-- Put in front of the scripts that grant a lock, and of that of the counters.

local function refuse_counter(counter, value)
    error('HOLDFAST the fencing counter ' .. counter .. ' is ' .. (value and shown(value) or 'no string')
        .. '; allowed is a whole number below 2^53 - 1. No lock is granted, as a token might repeat. Set the counter to the'
        .. ' highest token that was ever granted; delete it if no token was above the present time in microseconds')
end

-- The number that tokens have reached; 0 if the counter is not there.
local function last_token(counter)
    local value = read('GET', counter)
    local last = value == false and 0 or whole_number(value)
    return last or refuse_counter(counter, value)
end

-- How many tokens a grant gets of those that it asks for. One, if the others would be more than 10 ms ahead of the clock: for so long a grant
-- after the loss of the data could have a token that was reserved before.
local function reserved(token, wanted, now_micros)
    local count = tonumber(wanted)
    return token + count - 1 <= now_micros + 10000 and count or 1
end

-- The token of a new grant, which the script then writes to the counter. One counter for all locks of the prefix, in a cluster for those of one slot, so that no key stays per lock name. By the clock tokens grow even if the
-- counter was lost with the server's data; by the counter they grow even if the clock was set back. A quorum proposes a token, so that
-- all its nodes give the same one. One that is more than a second ahead is not taken: the clock has to be past all tokens when data are lost.
local function next_token(counter, now_micros, proposal)
    local last = last_token(counter)
    local ahead = proposal and proposal <= now_micros + 1000000 and proposal or 0
    local token = math.max(last + 1, now_micros, ahead)
    if token >= TOO_LARGE then
        refuse_counter(counter, digits(last))
    end
    return token
end

-- A grant, as a text: a list costs the server more than all that is in it. The last number is 1 if the claim was granted before.
local function told(token, tokens, now_micros, before)
    return string.format('%.0f %.0f %.0f %d', token, tokens, now_micros, before)
end
