# What every picture shares. A script loads it first, then says only what is its own.
latex = GPVAL_TERM eq "cairolatex"
ascii = GPVAL_TERM eq "dumb"

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

# Heatmaps: dark is small and light is large, in a grey print too.
set palette defined (0 "#440154", 1 "#472d7b", 2 "#3b528b", 3 "#2c728e", 4 "#21918c", \
    5 "#28ae80", 6 "#5ec962", 7 "#addc30", 8 "#fde725")
dark(v, low, high) = v < low + 0.55 * (high - low)
ink(v, low, high)  = dark(v, low, high) ? 0xffffff : 0x000000

# Numbers, and powers of ten on an axis, spelled as the terminal needs them.
number(v, digits) = sprintf(sprintf(latex ? "$%%.%df$" : "%%.%df", digits), v)
powers = latex ? "$10^{%T}$" : ascii ? "1e%T" : "10^{%T}"

# The number in a cell of a heatmap. LaTeX needs its colour spelled out; where there is no colour,
# a bar below the number stands for its size.
bar(v, full) = (v < 0 ? "--------" : "########")[1:int(8.5 * abs(v) / full)]
tinted(text, name) = '\\textcolor{' . name . '}{' . text . '}'
cell(v, digits, low, high) = \
    latex ? tinted(number(v, digits), dark(v, low, high) ? "white" : "black") : \
    ascii ? number(v, digits) . "\n" . bar(v, high) : number(v, digits)

# Pictures of a milestone that was not trained to its end.
if (short) set label 999 "a short training: not what the title says" at screen 0.01, 0.985

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
