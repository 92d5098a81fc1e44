# How large is the entropy of the weights at each temperature?
# Needs softmax softmax_at_temperature entropy
load "plots/style.gp"

set title lines("A low temperature selects the highest score, but it cannot break a tie", 44)
set xlabel "temperature"
set ylabel "entropy of the weights (nats)"
set logscale x
set yrange [0:1.25]
set label "scores 1, 2, 3" at 0.7, 0.45 tc ls 1
set label "scores 1, 3, 3" at 0.12, 0.86 tc ls 2
set label "ln 3: three equal weights" at 0.12, 1.17
set label "ln 2: two equal weights" at 90, 0.63 right
set label "0: one weight is 1" at 90, 0.07 right
plot log(3) with lines ls 4, log(2) with lines ls 4, \
     data."/entropy.dat" using "temperature":"winner" with lines ls 1, \
     "" using "temperature":"tie" with lines ls 2
