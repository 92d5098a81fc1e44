# Which keys get the weight when every key is blocked?
# Needs masked_softmax_rows
load "plots/style.gp"

set title lines("When every key is blocked, only -infinity gives weights of 0", 44)
set xlabel 'key (all keys are blocked for the query "mat")'
set ylabel "weight"
set xrange [-0.5:5.5]
set yrange [-0.05:0.7]
set boxwidth 0.38
set key top left reverse Left samplen 2
plot data."/nobody.dat" using ($0 - 0.2):"set":xtic(1) with boxes fc rgb "#f0c060" title "score set to -1e9", \
     "" using ($0 + 0.2):"added" with boxes fc rgb "#a04000" title "-1e9 added to score", \
     "" using 0:"true" with lines ls 1 title "score set to -infinity"
