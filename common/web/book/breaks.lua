-- A filter for pandoc: a long formula becomes several, so that a narrow page can break it. It ends before a relation,
-- a plus or a minus that is in no parentheses, and after a wide space.

local ends_before = { ["="] = true, ["\\approx"] = true, ["\\le"] = true, ["\\ge"] = true, ["+"] = true, ["-"] = true }
local deeper = { ["("] = 1, ["["] = 1, ["{"] = 1, ["\\left"] = 1, [")"] = -1, ["]"] = -1, ["}"] = -1, ["\\right"] = -1 }

function Math(math)
    local tex, pieces, first, depth, before, at = math.text, pandoc.List(), 1, 0, "", 1
    if #tex < 30 or tex:find("\\begin") then
        return nil
    end
    local function piece(last)
        local text = tex:sub(first, last)
        pieces:insert(pandoc.Math(math.mathtype, text:find("^[+-]") and "{}" .. text or text))
        first = last + 1
    end
    while at <= #tex do
        local token = tex:match("^\\%a+", at) or tex:match("^\\.", at) or tex:sub(at, at)
        depth = depth + (deeper[token] or 0)
        if depth == 0 and ends_before[token] and before:find("^[%w)%]}]$") then
            piece(at - 1)
        elseif depth == 0 and token:find("^\\q*quad$") then
            piece(at + #token - 1)
        end
        before = token:find("%s") and before or token
        at = at + #token
    end
    piece(#tex)
    return pieces
end
