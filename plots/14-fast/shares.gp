# Where does the backward pass spend its time?
load "plots/style.gp"

all = rest = until = 0
stats run."/shares.dat" every ::1 using (all = all + $2, strcol(1) eq "softmax" ? (until = all, rest = $2) : 0, 1) nooutput
said = sprintf("The five matrix products take %.0f percent of the time", 100 * (1 - rest / all))
set title found(rest < 0.3 * all, said)
set xlabel "share of the time of a tile"
set xrange [0:1]; set yrange [-1:1]
set border 1; unset ytics; unset grid
set style fill solid border rgb "#ffffff"
set label "softmax, no matrix product" at (until - rest / 2) / all, -0.5 center textcolor rgb "#d55e00"
colour(part) = part eq "softmax" ? 0xd55e00 : 0x0072b2
name(part, share) = part eq "softmax" ? " " : part . "\n" . spared(number(share, 2))
to = 0
plot run."/shares.dat" every ::1 using (to = to + $2 / all, to - $2 / all / 2):(0):(to - $2 / all):(to):(-0.3):(0.3):(colour(strcol(1))) \
         with boxxyerror lc rgb variable, to = 0, \
     "" every ::1 using (to = to + $2 / all, to - $2 / all / 2):(0):(name(strcol(1), $2 / all)) with labels textcolor rgb ascii ? "#000000" : "#ffffff"
