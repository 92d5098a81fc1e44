-- A filter for pandoc: a long formula becomes several, so that a narrow page can break it: after a wide space, or else
-- before a relation, or else before a plus or a minus. Each part is a span that stays in one line if it has room there.
-- In a formula of its own line, which can be scrolled, parentheses stay whole.

local breaks = {
    { ["\\quad"] = "after", ["\\qquad"] = "after" },
    { ["="] = "before", ["\\approx"] = "before", ["\\le"] = "before", ["\\ge"] = "before" },
    { ["+"] = "before", ["-"] = "before" },
}
local deeper = { ["{"] = 1, ["\\left"] = 1, ["}"] = -1, ["\\right"] = -1 }
local parentheses = { ["("] = 1, ["["] = 1, [")"] = -1, ["]"] = -1 }

local function parts_of(tex, breaks, mathtype)
    local parts, first, depth, before, at = pandoc.List(), 1, 0, "", 1
    while at <= #tex do
        local token = tex:match("^\\%a+", at) or tex:match("^\\.", at) or tex:sub(at, at)
        local place = breaks[token]
        depth = depth + (deeper[token] or mathtype == "DisplayMath" and parentheses[token] or 0)
        at = at + #token
        if place and depth == 0 and (place == "after" or before:find("^[%w)%]}]$")) then
            local last = place == "after" and at - 1 or at - #token - 1
            parts:insert(tex:sub(first, last))
            first = last + 1
        end
        before = token:find("%s") and before or token
    end
    parts:insert(tex:sub(first))
    return parts
end

local function broken(tex, level, mathtype)
    if level > #breaks or #tex < 30 then
        return pandoc.List({ pandoc.Math(mathtype, tex:find("^[+-]") and "{}" .. tex or tex) })
    end
    local parts = parts_of(tex, breaks[level], mathtype)
    return #parts == 1 and broken(tex, level + 1, mathtype) or parts:map(function(part)
        return pandoc.Span(broken(part, level + 1, mathtype), { class = "part" })
    end)
end

function Math(math)
    return not math.text:find("\\begin") and broken(math.text, 1, math.mathtype) or nil
end

-- A minus stays in the line of the word after it.
function Code(code)
    return code.text:find("^%-%a%S*$") and pandoc.Span({ code }, { class = "whole" }) or nil
end

-- A comma or a period stays in the line of the formula before it.
local function ended(inline, mark)
    if inline.t == "Math" then
        return pandoc.Span({ inline, pandoc.Str(mark) }, { class = "whole" })
    end
    inline.content[#inline.content] = ended(inline.content[#inline.content], mark)
    return inline
end

function Inlines(inlines)
    for i = 1, #inlines - 1 do
        local here, mark = inlines[i], inlines[i + 1].t == "Str" and inlines[i + 1].text:match("^[.,;:)?]+")
        if mark and (here.t == "Math" or here.t == "Span" and here.classes:includes("part")) then
            inlines[i] = ended(here, mark)
            inlines[i + 1] = pandoc.Str(inlines[i + 1].text:sub(#mark + 1))
        end
    end
    return inlines
end
