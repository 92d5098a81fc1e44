-- A filter for pandoc's plain writer, for `make read`: 80 columns of text without TeX.

-- {a + b} as (a + b), and {d_k} as it is.
local function group(braced)
    return braced:find("[%s/+-]") and "(" .. braced:sub(2, -2) .. ")" or braced
end

-- What the writer does not know, or shows as weights_(j): roots, sums, a letter below a symbol, fractions, large
-- parentheses, and aligned lines.
local function simple(tex)
    tex = tex:gsub("\\sqrt%s*(%b{})", function(under)
        return "√" .. group(under)
    end)
    tex = tex:gsub("\\sqrt%s*", "√"):gsub("\\sum_(%b{})%^", "{\\sum_%1}^")
    tex = tex:gsub("([^\\])_(%a)", "%1\\text{_%2}"):gsub("\\sum\\text{(_%a)}", "\\sum\\text{%1 }")
    tex = tex:gsub("(\\text{_%a}) (%a)", "%1\\ %2"):gsub("(\\text{_%a}) \\log", "%1\\ \\log")
    tex = tex:gsub("\\d?frac%s*(%b{})%s*(%b{})", function(above, below)
        return group(above) .. " / " .. group(below)
    end):gsub("\\left%f[%A]%s*", ""):gsub("\\right%f[%A]%s*", ""):gsub("\\q?quad", "\\ \\ ")
    return (tex:gsub("\\begin{%a+%*?}", ""):gsub("\\end{%a+%*?}", ""):gsub("&", " "))
end

function Math(math)
    if math.text:match("^[%w_]+$") then
        return pandoc.Str(math.text)
    end
    local lines = pandoc.List()
    for line in (simple(math.text) .. "\\\\"):gmatch("(.-)\\\\%s*") do
        lines:extend({ pandoc.LineBreak(), pandoc.Math("InlineMath", line) })
    end
    lines:remove(1)
    return lines
end

function Link(link)
    if link.target:match("^https?:") and pandoc.utils.stringify(link) ~= link.target then
        link.content:extend({ pandoc.Space(), pandoc.Str("(" .. link.target .. ")") })
    end
    return link.content
end

-- A figure is named, with its alternative text, which says what is to be seen.
function Image(image)
    local text = pandoc.List({ pandoc.Str("[Figure:"), pandoc.Space() })
    text:extend(image.caption)
    text:extend({ pandoc.Space(), pandoc.Str("(" .. image.src .. ")]") })
    return text
end

function Header(header)
    local line = string.rep(header.level == 1 and "=" or "-", utf8.len(pandoc.utils.stringify(header)))
    header.content:extend({ pandoc.LineBreak(), pandoc.Str(line) })
    return pandoc.Para(header.content)
end

-- The columns of a table that is too wide get shares of the line.
function Table(grid)
    local simple_grid = pandoc.utils.to_simple_table(grid)
    local widths, sum = {}, 0
    for _, row in ipairs({ simple_grid.headers, table.unpack(simple_grid.rows) }) do
        for i, cell in ipairs(row) do
            widths[i] = math.max(widths[i] or 4, utf8.len(pandoc.utils.stringify(cell)) + 3)
        end
    end
    for _, width in ipairs(widths) do
        sum = sum + width
    end
    for i, width in ipairs(widths) do
        simple_grid.widths[i] = sum > 78 and (68 - 3 * #widths) / 80 * width / sum or 0
    end
    return pandoc.utils.from_simple_table(simple_grid)
end
