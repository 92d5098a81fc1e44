# How do the weights depend on the temperature?
# Needs softmax softmax_at_temperature
load "plots/style.gp"

set title lines("A low temperature favours the highest score, a high one makes the weights equal", 44)
set xlabel "temperature"
set ylabel "weight"
set logscale x
set yrange [0:1]
set label "score 3" at 1.3, 0.68 tc ls 1
set label "score 2" at 0.7, 0.27 right tc ls 2
set label "score 1" at 2.2, 0.12 tc ls 3
plot data."/weights.dat" using "temperature":"score3" with lines ls 1, \
     "" using "temperature":"score2" with lines ls 2, \
     "" using "temperature":"score1" with lines ls 3
