-- A filter for pandoc, for the course's pages and `make read`: a block ```math is a formula in a line of its own.
function CodeBlock(block)
    if block.classes:includes("math") then
        return pandoc.Para({ pandoc.Math("DisplayMath", block.text) })
    end
end
