-- KEYS: lock. ARGV: claim id, and unless no message is published its channel, and PUBLISH or SPUBLISH. Returns 1 if the claim was in
-- force, else 0.
if not belongs_to(read('GET', KEYS[1]), ARGV[1]) then
    return 0
end
-- First the command that the user may not be allowed: a script that fails keeps what it has written.
if ARGV[2] then
    publish(ARGV[3], ARGV[2], ARGV[1])
end
call('DEL', KEYS[1])
return 1
