# What every picture shares. A script loads it first, then says only what is its own.
latex = GPVAL_TERM eq "cairolatex"
ascii = GPVAL_TERM eq "dumb"

# In a column of print (narrow = 1) the letters are as large as ever and the picture is not: what is
# longer than so many letters goes on in the next line, and a title that is false is left out.
space(text, at) = at < 2 || text[at:at] eq " " ? at : space(text, at - 1)
lines(text, letters) = !narrow || strlen(text) <= letters ? text : \
    text[1:space(text, letters + 1) - 1] . "\n" . lines(text[space(text, letters + 1) + 1:*], letters)
found(true, text) = true ? lines(text, 44) : ""

# Colours that the colour-blind can tell apart; in grey, the dashes tell the lines apart.
set colorsequence podo
set style line 1 lw 3 dt 1      lc rgb "#0072b2"
set style line 2 lw 3 dt (10,4) lc rgb "#d55e00"
set style line 3 lw 3 dt (3,3)  lc rgb "#009e73"
set style line 4 lw 1 dt (6,4)  lc rgb "#777777"
set style fill solid noborder

set border 3 lc rgb "#777777"
set tics nomirror scale 0.5 textcolor rgb "#404040"
set grid lt 1 lw 1 lc rgb "#dddddd"
set key off

# Heatmaps: the stronger the colour, the larger the number, in a grey print too. White is 0.
set palette defined (0 "#ffffff", 1 "#00507f")
# Where numbers have signs, those below 0 are orange: eval signed.
signed = 'set palette defined (-1 "#a04000", 0 "#ffffff", 1 "#00507f")'
dark(v, low, high) = abs(v) > 0.6 * high
ink(v, low, high)  = dark(v, low, high) ? 0xffffff : 0x000000

# Numbers, and powers of ten on an axis, spelled as the terminal needs them.
decimals(v, digits) = sprintf(sprintf("%%.%df", digits), abs(v) < 0.5 * 10**-digits ? 0 : v) # never "-0.00"
math(text) = latex ? "$" . text . "$" : text
number(v, digits) = math(decimals(v, digits))
powers = narrow || ascii ? "1e%T" : latex ? "$10^{%T}$" : "10^{%T}"

# The number in a cell of a heatmap. LaTeX needs its colour spelled out; where there is no colour,
# a bar below the number stands for its size. A narrow one spares the 0 before the point.
bar(v, full) = (v < 0 ? "--------" : "########")[1:int(8.5 * abs(v) / full)]
tinted(text, name) = '\\textcolor{' . name . '}{' . text . '}'
spared(text) = !narrow ? text : text[1:2] eq "0." ? text[2:*] : \
    text[1:3] eq "-0." ? "-" . text[3:*] : text
cell(v, digits, low, high) = \
    latex ? tinted(math(spared(decimals(v, digits))), dark(v, low, high) ? "white" : "black") : \
    ascii ? number(v, digits) . "\n" . bar(v, high) : spared(decimals(v, digits))
if (narrow) unset colorbox

# Pictures of a milestone that was not trained to its end.
if (short) set label 999 "not the whole training" at screen 0.01, narrow ? 0.97 : 0.985

# A terminal drawing cannot turn text on its side: the name of the y axis goes above the axis.
if (ascii) {
    set title offset 0, 1
    set ylabel norotate offset character 20, graph 0.58
    set tmargin 4
    unset colorbox
    unset grid
}
# LaTeX sets minus signs wider than gnuplot expects.
if (latex) {
    set cblabel offset 1.5
}
