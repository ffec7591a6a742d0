-- KEYS: lock. ARGV: claim id, channel. Returns 1 if the claim was in force, else 0.
if not belongs_to(read('GET', KEYS[1]), ARGV[1]) then
    return 0
end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 1
