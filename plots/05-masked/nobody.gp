# Which keys get the weight when every key is blocked?
# Needs masked_softmax_rows
load "plots/style.gp"

set title lines("When every key is blocked, a low score blocks none of them", 44)
set xlabel 'key (all keys are blocked for the query "mat")'
set ylabel "weight"
set xrange [-0.5:5.5]
set yrange [-0.05:0.7]
set boxwidth 0.38
set label "left bar: score set to -1e9" at -0.4, 0.6
set label "right bar: -1e9 added to score" at -0.4, narrow ? 0.53 : 0.55
set label "line: score set to -infinity" at -0.4, narrow ? 0.46 : 0.5
plot data."/nobody.dat" using ($0 - 0.2):"set":xtic(1) with boxes fc rgb "#f0c060", \
     "" using ($0 + 0.2):"added" with boxes fc rgb "#a04000", "" using 0:"true" with lines ls 1
