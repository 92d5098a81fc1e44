# What is the derivative of a weight in soft attention, and what in hard attention?
# Needs dot dot_scores blend dot_product_attention hard_attention dot_product_attention_backward
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
set title lines("Hard attention: the weight jumps once, and the slope is 0 elsewhere", 44)
set ylabel "weight"
set yrange [-0.1:1.1]
set ytics 0.5
set label 1 "soft" at -0.8, 0.25 right tc ls 1
set label 2 "hard" at 0.9, 0.95 right tc ls 2
plot data."/hard_soft.dat" using "score":"soft" with lines ls 1, \
     for [after=0:1] "" using "score":((column("score") > 1) == after ? column("hard") : NaN) \
     with lines ls 2  # in two pieces: no line leads across the jump
unset title
set xlabel lines("score of the third key (the other two have the scores 0 and 1)", 50)
set ylabel "slope of the weight"
set yrange [-0.04:0.29]
set ytics 0.1
set label 1 "soft" at -0.8, 0.18 right tc ls 1
set label 2 "hard: 0" at 3, 0.04 tc ls 2
plot data."/hard_soft.dat" using "score":"softslope" with lines ls 1, \
     "" using "score":"hardslope" with lines ls 2
unset multiplot
