# Where does the backward pass spend its time?
load "plots/style.gp"

rows = rest = all = 0
stats run."/shares.dat" every ::1 using (all = all + column(2), rows = rows + 1, \
    strcol(1) eq "softmax" ? (rest = column(2)) : 0, 1) nooutput
said = sprintf("The five matrix products take %.0f percent of the time", 100 * (1 - rest / all))
set title found(rest < 0.3 * all, said)
set ylabel lines("share of the time of a tile", 20)
set yrange [0:*]; set xrange [-0.6:rows - 0.4]
set boxwidth 0.7
set xtics scale 0
plot run."/shares.dat" every ::1 using 0:($2 / all):xtic(1) with boxes lc rgb "#0072b2", \
     "" every ::1 using 0:($2 / all):(number($2 / all, 2)) with labels offset 0, 0.7
