# What does training feel when attention picks, and what when it blends?
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
set title "A hard pick jumps once and is flat elsewhere: no slope to learn from"
set ylabel "weight (dimensionless)"
set yrange [-0.1:1.1]
set ytics 0.5
set label 1 "soft" at -0.8, 0.25 right
set label 2 "hard" at 1.3, 0.8
plot data."/hard_soft.dat" using "score":"soft" with lines ls 1, \
     for [after=0:1] "" using "score":((column("score") > 1) == after ? column("hard") : NaN) \
     with lines ls 2  # in two pieces: no line leads across the jump
unset title
set xlabel "score of one key, against two that score 0 and 1 (dimensionless)"
set ylabel "slope (dimensionless)"
set yrange [-0.04:0.29]
set ytics 0.1
set label 1 "soft" at -0.8, 0.18 right
set label 2 "hard: 0" at 2, 0.04
plot data."/hard_soft.dat" using "score":"softslope" with lines ls 1, \
     "" using "score":"hardslope" with lines ls 2
unset multiplot
