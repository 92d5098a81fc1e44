# To which letters does each head attend while it converts a date?
load "plots/style.gp"

day = best = 0
do for [h = 1:4] {
    here = 0
    stats run."/date-".h.".dat" every ::9::10 using (here = here + column($0 + 13) / 2, 1) nooutput
    day = day + here / 4
    if (here > best) { best = here; one = h }
}
few = narrow || ascii # room for one head alone
set multiplot layout (few ? 1 : 2), (few ? 1 : 2) title found(day > 0.5, sprintf( \
    "The day is copied from where it stands (weight %.2f), but the month is not", day))
set cbrange [0:1]; set xrange [-0.5:26.5]; set yrange [9.5:-0.5]
set border 0
unset grid; unset colorbox
if (!ascii) set object rectangle from 10.5, 7.5 to 12.5, 9.5 front fs empty border rgb "#d55e00" lw 2
tenth(v) = ascii && v >= 0.1 ? sprintf(".%d", v < 1 ? int(10 * v) : 9) : " "
do for [h = (few ? one : 1):(few ? one : 4)] {
    set xlabel h > 2 || few ? "letter of the source (head ".h.")" : "head ".h
    set ylabel h % 2 || few ? "letter written" : " "
    plot run."/date-".h.".dat" matrix rowheaders columnheaders with image pixels, \
         "" matrix rowheaders columnheaders using 1:2:(tenth($3)) with labels
}
unset multiplot
