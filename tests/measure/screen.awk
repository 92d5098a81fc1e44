# Turns what a terminal would show, with its colour codes, into an SVG picture.

function escape(s) {
    gsub(/&/, "\\&amp;", s)
    gsub(/</, "\\&lt;", s)
    gsub(/>/, "\\&gt;", s)
    return s
}

function span(s, style) {
    if (s == "") return ""
    if (!(style in styles)) return escape(s)
    return "<tspan " styles[style] ">" escape(s) "</tspan>"
}

function draw(line,    out, style, code) {
    out = ""
    style = ""
    while (match(line, /\033\[[0-9]*m/)) {
        code = substr(line, RSTART + 2, RLENGTH - 3)
        out = out span(substr(line, 1, RSTART - 1), style)
        line = substr(line, RSTART + RLENGTH)
        style = code
    }
    printf "<text x=\"16\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", 24 + 18 * NR_shown++, out span(line, style)
}

BEGIN {
    styles["1"] = "font-weight=\"bold\""
    styles["2"] = "fill=\"#6b7280\""
    styles["32"] = "fill=\"#1a7f37\""
    styles["31"] = "fill=\"#c0271d\""
    styles["33"] = "fill=\"#8a5a00\""
}

{ lines[NR] = $0 }

END {
    height = 18 * (NR + 1) + 28
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 690 %d\" width=\"690\" height=\"%d\" ", height, height
    print "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13.6\" fill=\"#1f2328\">"
    print "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(1) hue-rotate(180deg) } }</style>"
    printf "<rect width=\"690\" height=\"%d\" rx=\"6\" fill=\"#fbfaf7\" stroke=\"#d5d0c4\"/>\n", height
    draw("$ " command)
    for (i = 1; i <= NR; i++)
        draw(lines[i])
    print "</svg>"
}
