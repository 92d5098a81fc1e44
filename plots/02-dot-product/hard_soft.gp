# What does training feel when attention picks, and what when it blends?
# Needs dot dot_scores blend dot_product_attention hard_attention dot_product_attention_backward
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
set title lines("A hard pick jumps once and is flat elsewhere: no slope to learn from", 44)
set ylabel lines("weight (dimensionless)", 15)
set yrange [-0.1:1.1]
set ytics 0.5
set label 1 "soft" at -0.8, 0.25 right
set label 2 "hard" at 0.9, 0.95 right
plot data."/hard_soft.dat" using "score":"soft" with lines ls 1, \
     for [after=0:1] "" using "score":((column("score") > 1) == after ? column("hard") : NaN) \
     with lines ls 2  # in two pieces: no line leads across the jump
unset title
set xlabel lines("score of one key, against two that score 0 and 1 (dimensionless)", 50)
set ylabel lines("slope (dimensionless)", 15)
set yrange [-0.04:0.29]
set ytics 0.1
set label 1 "soft" at -0.8, 0.18 right
set label 2 "hard: 0" at 3, 0.04
plot data."/hard_soft.dat" using "score":"softslope" with lines ls 1, \
     "" using "score":"hardslope" with lines ls 2
unset multiplot
