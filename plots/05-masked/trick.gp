# Is a very low score as good as a mask?
# Needs masked_softmax_rows
load "plots/style.gp"

set title lines("A low score blocks a key only while the allowed scores are higher", 44)
set xlabel lines("how far the allowed scores lie below 0", 44)
set ylabel lines("weight of the blocked keys", 26)
set logscale x; set format x powers
set yrange [-0.1:1.15]
set label "blocked: -10000" at 1.5e4, 0.6 tc ls 3
set label "blocked: -1e9" at 1.5e9, 0.3 tc ls 2
set label "blocked: -infinity" at 1.5, 0.06 tc ls 1
plot data."/leak.dat" using "depth":"billion" with lines ls 2, \
     "" using "depth":"tenthousand" with lines ls 3, "" using "depth":"true" with lines ls 1
