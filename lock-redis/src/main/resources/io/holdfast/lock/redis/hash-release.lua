-- KEYS: lock. ARGV: claim id, fencing counter, line, places, PUBLISH or SPUBLISH. Returns 1 if the claim was in force, else 0.
local at = { key = KEYS[1], counter = ARGV[2], line = ARGV[3], places = ARGV[4], publish = ARGV[5] }
local mine = 'claim:' .. ARGV[1]
local now_micros = server_micros()

-- What keeps the next claim from its grant is no failure of this release, but for a missing right, which nobody else would hear of.
local function serve_next()
    local served, problem = pcall(serve_line, at, nil, now_micros)
    problem = type(problem) == 'table' and problem.err or problem
    if not served and string.find(problem, 'NOPERM', 1, true) then
        error(problem, 0)
    end
end

-- The lines in front of this script have released it, and then the next claim was refused.
if answer then
    serve_next()
    return answer
end
local lock = read_granted(KEYS[1], mine, math.floor(now_micros / 1000))
if not lock then
    if leave_line(at, ARGV[1]) and call('EXISTS', KEYS[1]) == 0 then
        serve_next()
    end
    return 0
end
local latest = 0
for claim, expiry in pairs(lock.claims) do
    if claim ~= mine then
        latest = math.max(latest, expiry)
    end
end
if latest > 0 then
    call('HDEL', KEYS[1], mine)
    -- The remaining claims may end sooner than this one would have.
    expire_at(KEYS[1], latest)
    tidy(KEYS[1], lock)
    leave_line(at, ARGV[1])
else
    call('DEL', KEYS[1])
    leave_line(at, ARGV[1])
    serve_next()
end
return 1
