# Where does the backward pass spend its time?
load "plots/style.gp"

rows = rest = all = 0
stats run."/shares.dat" every ::1 using (all = all + column(2), rows = rows + 1, \
    strcol(1) eq "softmax" ? (rest = column(2)) : 0, 1) nooutput
said = sprintf("The five matrix products take %.0f percent of the time", 100 * (1 - rest / all))
colour(part) = part eq "softmax" ? 0xd55e00 : 0x0072b2 # what is no product is orange
other = "not a\nmatrix\nproduct"
set label other at 2, narrow ? 0.15 : 0.1 center textcolor rgb "#d55e00"
set title found(rest < 0.3 * all, said)
set ylabel lines("share of the time of a tile", 20)
set yrange [0:*]; set xrange [-0.6:rows - 0.4]
set boxwidth 0.7
set xtics scale 0
plot run."/shares.dat" every ::1 using 0:($2 / all):(colour(strcol(1))):xtic(1) with boxes lc rgb variable, \
     "" every ::1 using 0:($2 / all):(number($2 / all, 2)) with labels offset 0, 0.7
