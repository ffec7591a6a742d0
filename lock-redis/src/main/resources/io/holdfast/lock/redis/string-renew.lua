-- KEYS: lock. ARGV: claim id, lease in ms. Returns the server's clock in micros if the claim is in force, else 0.
if not belongs_to(read('GET', KEYS[1]), ARGV[1]) then
    return 0
end
if call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
    call('PEXPIRE', KEYS[1], ARGV[2])
end
return server_micros()
