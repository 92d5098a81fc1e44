# How much does the loss grow without each head?
load "plots/style.gp"

array name[36]; array story[36]
k = 0
do for [i = 1:36] { name[i] = story[i] = 0 }
stats run."/removed.dat" every ::1 using (k = k + 1, k <= 36 ? (story[k] = $2, name[k] = $3) : 0, 1) nooutput
high = 0
do for [i = 1:36] { high = name[i] > high ? name[i] : high }
few = 0
do for [i = 1:36] { few = few + (name[i] > 2.5) }
said = sprintf("%d of 36 heads carry a repeated name", few)
set title found(few > 2 && few < 9, said)
set ylabel lines("growth of the loss (nats per token)", 22)
set xlabel "layer of the removed head (a bar for each of its six heads)"
if (narrow) set xlabel "layer (a bar for each of six heads)"
set xrange [0:43]; set yrange [-1:1.2 * high]; set boxwidth 0.8; if (!ascii) set grid noxtics ytics
set xtics ("0" 3.5, "1" 10.5, "2" 17.5, "3" 24.5, "4" 31.5, "5" 38.5) scale 0
x(i) = int(i) + (int(i) - 1) / 6
large(i) = name[int(i)] > 2.5 ? sprintf("%d.%d", (int(i) - 1) / 6, (int(i) - 1) % 6) : " "
set label "blue bars: of a repeated name" at graph 0.98, 0.93 right textcolor rgb "#0072b2"
set label "orange dots: of a story" at graph 0.98, 0.83 right textcolor rgb "#d55e00"
plot sample [i = 1:36:1] "+" using (x(i)):(name[int(i)]) with boxes lc rgb "#0072b2", \
     [i = 1:36:1] "+" using (x(i)):(story[int(i)]) with points pt 7 ps 0.8 lc rgb "#d55e00", \
     [i = 1:36:1] "+" using (x(i)):(name[int(i)]):(large(i)) with labels offset 0, 0.7
