# What do the waves say at each place?
# Needs position_angle sinusoidal_positions
load "plots/style.gp"
eval signed

set title lines("Each pair of columns is a clock: the first races, the last hardly move", 44)
set xlabel "column (even: sine, odd: cosine)"
set ylabel "place of the word"
set cblabel "number added to the word (dimensionless)"
set cbrange [-1:1]
set xrange [-0.5:31.5]
set yrange [59.5:-0.5]
set xtics 4
set border 0
unset grid
mark(v) = !ascii || abs(v) < 0.5 ? " " : v > 0 ? "#" : "-"
plot data."/clocks.dat" matrix with image pixels, \
     "" matrix every 1:3 using 1:2:(mark($3)) with labels
