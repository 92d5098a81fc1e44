# What is left of the gradient past the softmax, as keys get longer?
load "plots/style.gp"

set multiplot layout 1, 2 title "Without the scale, the softmax lets less and less of the gradient through"
set logscale xy
set format y powers
set xrange [1:4096]
set xlabel "d, the size of a key (dimensionless)"
set ylabel "length of the gradient (dimensionless)"
set title "at the scores, mean"
set yrange [0.01:2]
set label 1 "scaled" at 100, 0.85
set label 2 "unscaled" at 12, 0.12
plot data."/gradients.dat" using "d":"scaledscores" with lines ls 1, \
     "" using "d":"plainscores" with lines ls 2
unset ylabel
set title "at the queries, half of them get less"
set yrange [1e-12:100]
set label 1 at 100, 10
set label 2 at 30, 1e-3
plot data."/gradients.dat" using "d":"scaledmedian" with lines ls 1, \
     "" using "d":"plainmedian" with lines ls 2
unset multiplot
