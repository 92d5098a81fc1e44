# Which function can a feed-forward network compute that one matrix and one bias cannot?
# Needs feed_forward
load "plots/style.gp"

at(x, want) = abs(x - want) < 1e-9
stats data."/relu.dat" using (at($1, 0) ? (zero = $5) : at($1, 1) ? (one = $5) : \
    at($1, 2) ? (two = $5) : 0, 1) nooutput
set title found(abs(zero) + abs(one - 1) + abs(two) < 1e-9, \
    "Three units compute 'exactly one of two'")
set xlabel lines("s, the number of conditions that hold", 40)
set ylabel lines("contribution of each unit, and their sum", 30)
set xrange [-0.5:3.2]
set yrange [-4.2:3.4]
set xtics 1
set label "out, the sum" at 0.92, 1.45 right textcolor rgb "#0072b2"
set label "unit 0" at 2.3, 2.7 right
set label "unit 1, times -2" at 2.2, -2.9 right
set label "unit 2" at 3.15, 0.42 right
plot for [k = 2:4] data."/relu.dat" using 1:k with lines ls 4 lw 2, \
     "" using "x":"out" with lines ls 1
