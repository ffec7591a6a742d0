-- KEYS: lock. Returns {owner, host, pid, thread, since in ms, token}, {value} if the holder is foreign, or nothing.
local value = call('GET', KEYS[1])
if not value then
    return false
end
local found, _, _, token, since, pid, owner, host, thread = string.find(value, OURS)
if not found then
    return { value }
end
local function decoded(text)
    return (string.gsub(text, '%%(%x%x)', function(hex) return string.char(tonumber(hex, 16)) end))
end
return { decoded(owner), decoded(host), pid, decoded(thread), since, token }
