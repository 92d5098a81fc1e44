# How does the temperature share out the weights?
# Needs softmax softmax_at_temperature
load "plots/style.gp"

set title lines("Cold, the best score takes it all; hot, all three share alike", 44)
set xlabel "temperature (dimensionless)"
set ylabel "weight (dimensionless)"
set logscale x
set format x powers
set yrange [0:1]
set label "score 3" at 1.3, 0.68
set label "score 2" at 0.7, 0.27 right
set label "score 1" at 2.2, 0.12
plot data."/weights.dat" using "temperature":"score3" with lines ls 1, \
     "" using "temperature":"score2" with lines ls 2, \
     "" using "temperature":"score1" with lines ls 3
