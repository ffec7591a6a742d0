-- KEYS: lock, fencing counter. ARGV: claim id, token. Gives a granted claim the highest token of its quorum.
-- Returns 1 if the grant is in force, else 0: then another claim may have a higher token here.
local value = read('GET', KEYS[1])
if not belongs_to(value, ARGV[1]) then
    return 0
end
-- A copy of the request has written the record again, after the grant had ended, and perhaps after one of another claim.
local _, _, _, token = string.find(value, OURS)
if (whole_number(token) or 0) > tonumber(ARGV[2]) then
    return 0
end
-- First the counter: a script that fails keeps what it has written, and a counter that is too high is harmless.
if (whole_number(read('GET', KEYS[2]) or '0') or 0) < tonumber(ARGV[2]) then
    call('SET', KEYS[2], ARGV[2])
end
call('SET', KEYS[1], (string.gsub(value, '^(%S+) %d+', '%1 ' .. ARGV[2])), 'KEEPTTL')
return 1
