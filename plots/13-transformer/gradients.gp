# Which matrices get the largest gradients, at initialization and after training?
load "plots/style.gp"

array all[3]
do for [k = 2:3] { stats run."/gradients.dat" every ::1:0:1:0 using (all[k] = column(k), 1) nooutput }
where = what = 0
stats run."/gradients.dat" using (strcol(1) eq "q" || strcol(1) eq "k" ? where = where + $2 : \
    strcol(1) eq "v" || strcol(1) eq "o" ? what = what + $2 : 0, 1) nooutput
set title found(what > 2 * where, sprintf( \
    "At initialization, v and o get %.1f times the gradient of q and k", what / where))
set ylabel lines("gradient of a parameter (table: 1)", 30)
set logscale y; set format y powers
set yrange [0.003:4]
set xrange [1.5:17.5]
set xlabel lines("matrix: attention q, k, v, o (grey: v, o); feed-forward 1, 2", 42)
set label "encoder" at 4.5, 2.2 center
set label narrow ? "self" : "decoder, self" at 9.5, 2.2 center
set label narrow ? "cross" : "decoder, cross" at 13.5, 2.2 center
set label narrow || ascii ? "ff" : "feed-forward" at 16.62, 2.2 center
set label "at initialization" at 8.2, 0.012 textcolor rgb "#0072b2" point ls 1 pt 7 ps 1.5 offset 1, 0
set label "after training" at 8.2, 0.006 textcolor rgb "#d55e00" point ls 2 pt 6 ps 1.5 offset 1, 0
set for [x in "3.5 9.5 13.5"] object rectangle from real(x), graph 0 to real(x) + 2, 1.5 behind fc rgb "#dddddd" fs noborder
set for [x in "7.5 11.5 15.5"] arrow from real(x), 0.003 to real(x), 3 nohead lw 2 lc rgb "#777777"
plot run."/gradients.dat" using 0:($2 / all[2]):xtic(1) with points ls 1 pt 7 ps 1.5, \
     "" using 0:($3 / all[3]) with points ls 2 pt 6 ps 1.5
