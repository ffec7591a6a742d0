-- Put in front of every script of the string layout.
-- The value is: claim id, token, since in ms, pid, owner, host, thread; the last three percent-encoded; one space between.

local OURS = '^([%w%-]+) (%d+) (%d+) (%d+) (%S*) (%S*) (%S*)$'

-- Whether a value belongs to a claim. Compares the whole id, as one id may be the beginning of another.
local function belongs_to(value, claim)
    return value and string.sub(value, 1, #claim + 1) == claim .. ' '
end
