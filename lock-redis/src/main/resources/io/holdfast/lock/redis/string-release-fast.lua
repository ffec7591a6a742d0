-- Put in front of the release script, which has all the other cases: releases a claim that is in force. See hash-acquire-fast.lua.
local run, key, claim = redis.pcall, KEYS[1], ARGV[1] .. ' '
local value = run('GET', key)
if type(value) == 'string' and string.sub(value, 1, #claim) == claim
    and (not ARGV[2] or type(run(ARGV[3], ARGV[2], ARGV[1])) == 'number') and run('DEL', key) == 1 then
    return 1
end
