-- Put in front of the renewal script, which has all the other cases: renews a claim that is in force and whose lease ends earlier than the
-- new one. See acquire-fast.lua. Redis before 7 does not know GT.
local run, key = redis.pcall, KEYS[1]
if run('HEXISTS', key, ARGV[1]) == 1 then
    local time = run('TIME')
    if time[1] and run('PEXPIRE', key, ARGV[2], 'GT') == 1 then
        local clock = ARGV[3] == 'CLUSTER' and run('CLUSTER', 'MYID') or ARGV[3]
        return { 'held', string.format('%.0f', time[1] * 1000000 + time[2]), type(clock) == 'string' and clock or '' }
    end
end
