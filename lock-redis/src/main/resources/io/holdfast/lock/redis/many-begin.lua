-- Put behind the lines for the usual case, and in front of the functions that answer any one claim. The script is called for one claim, or for
-- many of one server, and has KEYS and ARGV of each claim one after another. The lines in front have set: claims, how many there are; each,
-- how many words of ARGV a claim has; answers, by the claim's place; and left, the places of those that need more than the usual case.
if not left[1] then
    return claims == 1 and answers[1] or answers
end
local function one(KEYS, ARGV, answer)
