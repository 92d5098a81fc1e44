# What holds each step back?
load "plots/style.gp"

array x[8]; array y[8]
k = 0
do for [i = 1:8] { x[i] = y[i] = 1 }
stats data."/intensity.dat" every ::1 using (k = k + 1, x[k] = column(2), 1) nooutput
k = 0
stats run."/ladder.dat" every ::1 using (k == 0 ? (peak = column(2)) : k <= 6 ? (y[k] = column(2)) : 0, k = k + 1) nooutput
stats run."/decode.dat" every ::1 using (y[7] = 0.5 * column(2), read = column(3), 1) nooutput
x[7] = 0.5
set title found(y[1] < 0.1 * peak && y[5] > 0.4 * peak, \
    sprintf("One word is at the memory's edge (%.0f GB/s), flash near that of the multiply-adds", read))
set xlabel lines("operations for each byte loaded, from memory or a cache", 42)
set ylabel lines("speed, one thread (GF/s)", 20)
set logscale xy; set format y "%g"; set format x "%g"
set xrange [0.02:20]; set yrange [0.5:3 * peak]
roof(v) = read * v < peak ? read * v : peak
name(i) = word("naive ordered online tiled flash backward decode", i)
up(i) = i == 3 || i == 7 ? 0.68 : i == 6 ? 1.55 : 1.45
set for [i = 1:7] label name(i) at x[i] * (i == 4 ? 0.82 : 1.18), y[i] * (i == 2 ? 0.95 : i == 5 ? 0.62 : up(i)) \
    right textcolor rgb "#404040"
plot roof(x) with lines ls 4, sample [i = 1:7:1] "+" using (x[int(i)]):(y[int(i)]) with points pt 7 ps 1.6 lc rgb "#0072b2"
