-- Put in front of the release script, which has all the other cases: releases the only claim of a record, which has six more fields, if none
-- waits. It is in force, as Redis removes the key at the end of the last claim. See hash-acquire-fast.lua.
local run, key = redis.pcall, KEYS[1]
if run('HLEN', key) == 7 and (tonumber(run('HGET', key, 'claim:' .. ARGV[1])) or 0) > 0
    and run('EXISTS', ARGV[3]) == 0 and run('DEL', key) == 1 then
    return 1
end
