-- KEYS: lock. ARGV: claim, lease in ms. Returns {'held'} if the claim is in force, else {'gone'}.
if not in_force(KEYS[1], ARGV[1]) then
    -- Never created again: another claim may hold the lock by now.
    return { 'gone' }
end
prolong(KEYS[1], tonumber(ARGV[2]))
return { 'held' }
