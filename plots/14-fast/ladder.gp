# Which steps are worth it?
load "plots/style.gp"

# Rows: bare, naive, ordered, online, tiled, flash, backward, OpenBLAS, PyTorch.
array best[10]; torch = "PyTorch"
k = 0
do for [i = 1:10] { best[i] = 0 }
stats run."/ladder.dat" every ::1 using (k = k + 1, \
    k <= 10 ? (best[k] = strcol(2) eq "nan" ? 0 : column(2)) : 0, k == 9 ? (torch = strcol(1)) : 0, 1) nooutput
said = sprintf("All steps together: %.0f times as fast, and %.2f of the peak", \
    best[6] / best[2], best[6] / best[1])
set title found(best[6] > best[2], said)
set ylabel lines("speed, one thread (GFLOP/s)", 20)
set logscale y; set format y "%g"; set yrange [0.5:2.5 * best[1]]
set xrange [0.4:6.6]; set grid noxtics ytics
name(i) = word("naive ordered online tiled flash ".(narrow ? "back" : "backward"), i)
set xtics () scale 0; set for [i = 1:6] xtics add (name(i) i)
if (narrow) set xtics rotate by -35
set label "multiply-adds only" at 0.5, 1.22 * best[1] textcolor rgb "#404040"
if (best[8] > 0) set label "OpenBLAS" at 2.9, 1.2 * best[8] textcolor rgb "#d55e00"
if (best[9] > 0) set label torch at 0.5, 0.8 * best[9] textcolor rgb "#009e73"
line(i) = best[i] > 0 ? best[i] : NaN
set for [i = 1:6] label decimals(best[i + 1], best[i + 1] < 10 ? 1 : 0) at i, best[i + 1] center offset 0, -1.2 front textcolor rgb "#0072b2"
plot sample [i = 1:6:1] "+" using (i):(best[int(i) + 1]) with points pt 7 ps 2 lc rgb "#0072b2", \
     line(1) with lines ls 4, line(8) with lines ls 2, line(9) with lines ls 3
