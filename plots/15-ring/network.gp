# How many tokens does a rank need to hide the network?
# Needs ring_seconds
load "plots/style.gp"

set title lines("Faster machines need longer stripes to hide the same network", 44)
set xlabel lines("operations of a rank per byte of the network", 40)
set ylabel lines("tokens that a rank needs", 30)
set logscale xy
set format xy powers
set xrange [1:1e4]
set yrange [0.3:1e5]
set label lines("one key head per query head", 12) at 20, 1500 right textcolor rgb "#0072b2"
set label lines("8 query heads share one", 12) at 900, 60 textcolor rgb "#d55e00"
set label "network is hidden" at 2, 2e4 textcolor rgb "#777777"
set label "ranks wait" at 900, 1 textcolor rgb "#777777"
set arrow from 120, 0.3 to 120, 1e5 nohead lw 1 lc rgb "#777777"
set label lines("150 GFLOP/s, 10 Gbit/s", 12) at 140, 4e4 textcolor rgb "#777777"
plot data."/network.dat" using 1:2 with lines ls 1, "" using 1:3 with lines ls 2
