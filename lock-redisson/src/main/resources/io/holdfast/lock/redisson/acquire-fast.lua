-- Put in front of the acquire script, which has all the other cases: grants a free lock of layout lock, and refuses one that another claim
-- has. It comes before the functions of that script, as making them costs as much as some commands. A grant that meets an error is undone,
-- and refused again there, with a reason.
local run, key, counter = redis.pcall, KEYS[1], KEYS[3]
local found = run('EXISTS', key, KEYS[2])
if found == 1 then
    -- It is the lock if that has an expiry, and then there is no mark.
    local left = run('PTTL', key)
    if type(left) == 'number' and left >= 0 and run('HEXISTS', key, ARGV[1]) == 0 then
        return { 'contended', string.format('%.0f', left) }
    end
elseif found == 0 and not KEYS[4] and tonumber(ARGV[8]) <= 10000 then
    local time, last = run('TIME'), run('GET', counter)
    local micros = time[1] and time[1] * 1000000 + time[2] or 0
    -- The clock alone decides, as it is past all tokens. It also counts by microseconds, so its digits tell the time in milliseconds.
    if time[1] and (last == false or type(last) == 'string' and string.find(last, '^%d+$') and tonumber(last) < micros) then
        local token = string.format('%.0f', micros)
        local reserved = ARGV[8] == '1' and token or string.format('%.0f', micros + ARGV[8] - 1)
        if run('SET', counter, reserved).ok and type(run('HSET', key, ARGV[1], '1', 'token', token, 'since', string.sub(token, 1, -4),
            'owner', ARGV[3], 'host', ARGV[4], 'pid', ARGV[5], 'thread', ARGV[6])) == 'number' then
            if run('PEXPIRE', key, ARGV[2]) == 1 then
                local clock = ARGV[7] == 'CLUSTER' and run('CLUSTER', 'MYID') or ARGV[7]
                return { 'granted', token, token, type(clock) == 'string' and clock or '', ARGV[8] }
            end
            run('DEL', key)
        end
    end
end
