# Which matrices get most of the gradient, in a new network and in a trained one?
load "plots/style.gp"

array all[3]
do for [k = 2:3] { stats run."/gradients.dat" every ::1:0:1:0 using (all[k] = column(k), 1) nooutput }
where = what = 0
stats run."/gradients.dat" using (strcol(1) eq "q" || strcol(1) eq "k" ? where = where + $2 : \
    strcol(1) eq "v" || strcol(1) eq "o" ? what = what + $2 : 0, 1) nooutput
set title found(what > 2 * where, sprintf( \
    "In a new network v and o get %.1f times as much as q and k", what / where))
set ylabel lines("gradient of a number (of the table's: 1)", 30)
set logscale y
set format y powers
set yrange [0.003:4]
set xrange [1.5:17.5]
set xlabel lines("matrix: of the heads q, k, v, o; of the networks 1, 2", 42)
set label "reader" at 4.5, 2.2 center
set label "writer" at 9.5, 2.2 center
set label "cross" at 13.5, 2.2 center
set label "writer" at 16.5, 2.2 center
set label "new network" at 8, 0.012 textcolor rgb "#0072b2"
set label "trained" at 8, 0.006 textcolor rgb "#d55e00"
set for [x in "7.5 11.5 15.5"] arrow from real(x), 0.003 to real(x), 3 nohead lw 2 lc rgb "#777777"
plot run."/gradients.dat" using 0:($2 / all[2]):xtic(1) with linespoints ls 1 pt 7, \
     "" using 0:($3 / all[3]) with linespoints ls 2 pt 6
