-- Put in front of the release script, which has all the other cases: releases a claim that is in force, and leaves no mark. See
-- acquire-fast.lua.
local run, key = redis.pcall, KEYS[1]
if ARGV[3] == '0' and run('HEXISTS', key, ARGV[1]) == 1 and type(run('PUBLISH', ARGV[2], '0')) == 'number' then
    if ARGV[4] == 'CLUSTER' then
        run('SPUBLISH', ARGV[2], '0')
    end
    if run('DEL', key) == 1 then
        return { 'released' }
    end
end
