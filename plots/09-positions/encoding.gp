# What is the sinusoidal encoding of each position?
# Needs position_angle sinusoidal_positions
load "plots/style.gp"

set title lines("Dimensions 0 and 1 change at each position, and 6 and 7 hardly at all", 44)
set xlabel lines("dimension (even: sine, odd: cosine; ".(ascii ? "minus" : "dots").": below -0.3)", 42)
set ylabel "position"
set cblabel "number added to the embedding"
eval signed
set cbrange [-1:1]
set xrange [-0.5:7.5]
set yrange [31.5:-0.5]
set xtics 1
set border 0
unset grid
mark(v) = !ascii || abs(v) < 0.3 ? " " : v > 0 ? "#" : "-"
plot data."/encoding.dat" matrix with image pixels, \
     "" matrix using 1:($3 < -0.3 && !ascii ? $2 : NaN) with points pt 7 ps 0.5 lc rgb "#ffffff", \
     "" matrix every 1:2 using 1:2:(mark($3)) with labels
