# What can a network draw that no matrix can?
# Needs feed_forward
load "plots/style.gp"

at(x, want) = abs(x - want) < 1e-9
stats data."/kink.dat" using (at($1, 0) ? (zero = $5) : at($1, 1) ? (one = $5) : \
    at($1, 2) ? (two = $5) : 0, 1) nooutput
set title found(abs(zero) + abs(one - 1) + abs(two) < 1e-9, \
    "Three lines, cut off at 0, sum to 'one of the two, but not both'")
set xlabel lines("how many of two things are so (a sum, as a head fetches it)", 40)
set ylabel lines("out, and its three parts (dimensionless)", 30)
set xrange [-0.5:2.5]
set yrange [-3.2:2.8]
set xtics 1
set label "out" at 0.9, 1.25 textcolor rgb "#0072b2"
set label "unit 0" at 1.8, 2.05 right
set label "unit 1, times -2" at 1.95, -2.2 right
set label "unit 2" at 2.45, 0.62 right
plot for [k = 2:4] data."/kink.dat" using 1:k with lines ls 4 lw 2, \
     "" using "x":"out" with lines ls 1
