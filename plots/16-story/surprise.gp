# Which tokens of a text surprise the model?
load "plots/style.gp"

most = mean = 0
stats run."/lens.dat" every ::1::48 using (s = $8, s > most ? (most = s, who = strcol(1)) : 0, mean = mean + s / 48, 1) nooutput
said = sprintf("The largest surprise is %s (%.0f nats), and the mean is %.1f", who, most, mean)
set title found(most > 2 * mean, said)
from = narrow || ascii ? 10 : 1; to = ascii ? 22 : narrow ? 33 : 48 # rows of the table: tokens of our text
set xrange [-0.8:to - from + 0.8]; set yrange [0:1.15 * most]
set ylabel lines("surprise (nats)", 20); set xlabel to < 48 ? "tokens of a part of our text" : "tokens of our text"
set xtics rotate by 90 right scale 0; if (!ascii) set grid noxtics ytics
set boxwidth 0.8; set bmargin narrow ? 6 : 7
plot run."/lens.dat" every ::from::to using 0:8:xtic(1) with boxes lc rgb "#0072b2"
