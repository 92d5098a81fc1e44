# What limits each function?
load "plots/style.gp"

array at[8]; array gf[8]
k = 0
do for [i = 1:8] { at[i] = gf[i] = 1 }
stats run."/intensity.dat" every ::1 using (k = k + 1, at[k] = column(2), 1) nooutput
k = 0
stats run."/ladder.dat" every ::1 using (k == 0 ? (peak = column(2)) : k <= 6 ? (gf[k] = column(2)) : 0, k = k + 1) nooutput
stats run."/decode.dat" every ::1 using (gf[7] = at[7] * column(2), read = column(3), 1) nooutput
set title found(gf[1] < 0.1 * peak && gf[5] > 0.4 * peak, \
    sprintf("Memory (%.0f GB/s) limits decode, and multiply-adds limit flash attention", read))
set xlabel lines("arithmetic intensity (operations per byte)", 42)
set ylabel lines("speed, one thread (GFLOP/s)", 20)
set logscale xy; set format y "%g"; set format x "%g"
set xrange [0.012:20]; set yrange [0.5:3 * peak]
set label "memory" at 0.12, 0.06 * read textcolor rgb "#777777"
set label "peak" at 19, 1.3 * peak right textcolor rgb "#777777"
roof(v) = read * v < peak ? read * v : peak
set for [i = 1:4:3] label (i == 1 ? "naive" : "tiled") at 0.86 * at[i], 1.25 * gf[i] right
set label "ordered, online" at 0.86 * at[2], 0.9 * sqrt(gf[2] * gf[3]) right
set label "flash, backward" at 0.8 * at[5], sqrt(gf[5] * gf[6]) right
set label "decode" at 1.15 * at[7], 0.8 * gf[7]
plot sample [i = 1:7:1] "+" using (at[int(i)]):(gf[int(i)]) with points pt 7 ps 1.6 lc rgb "#0072b2", \
     [v = 0.012:20] "+" using (v):(roof(v)) with lines ls 4
