-- KEYS: lock. ARGV: claim, lease in ms, 'CLUSTER' or 'SINGLE'.
-- Returns {'held', the server's clock in micros, which clock it is} if the claim is in force, else {'gone'}.
if not in_force(KEYS[1], ARGV[1]) then
    -- Never created again: another claim may hold the lock by now.
    return { 'gone' }
end
local micros = server_micros()
prolong(KEYS[1], tonumber(ARGV[2]))
return { 'held', digits(micros), clock_of(ARGV[3]) }
