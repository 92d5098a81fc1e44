# How many tokens a second are possible if all parameters are read for each?
load "plots/style.gp"

array mb[3]; array got[3]; array read[3]; array kind[3]
k = 0
stats run."/memory.dat" every ::1 using (k = k + 1, k <= 3 ? (mb[k] = $2, got[k] = $3, read[k] = $4, kind[k] = strcol(1)) : 0, 1) nooutput
set title found(got[3] > got[2] && got[2] > got[1], "Fewer bytes per token, more tokens per second")
set xlabel "bytes that are read for each token (MB)"
set ylabel lines("tokens per second, one thread", 22)
set logscale xy; set format xy "%g"
set xrange [10:220]; set yrange [0.6 * got[1]:2 * read[3]]
set xtics (10, 20, 50, 100, 200); set ytics (50, 100, 200, 500, 1000, 2000, 5000, 10000)
set label "a read of these bytes" at 1.1 * mb[3], 1.2 * read[3] textcolor rgb "#555555"
set for [i = 1:3] label kind[i] at 0.93 * mb[i], 0.82 * got[i] right textcolor rgb "#0072b2"
plot sample [i = 1:3:1] "+" using (mb[int(i)]):(read[int(i)]) with lines ls 4 lw 2, \
     [i = 1:3:1] "+" using (mb[int(i)]):(got[int(i)]) with points pt 7 ps 1.6 lc rgb "#0072b2"
