# How much of the gradient passes the softmax when d grows?
# Needs attention_scale scaled_dot_product_attention scaled_dot_product_attention_backward mean_entropy
load "plots/style.gp"

set multiplot layout 1, 2 title lines("Without the scale, the softmax lets less and less of the gradient through", 44)
set logscale xy
set format y powers
set xrange [1:4096]
set xlabel lines("d, the dimensions of a key", 22)
set ylabel lines("length of the gradient", 24)
set xtics 1, narrow ? 100 : 10
set title lines("at the scores, mean", 14)
set yrange [0.01:2]
set label 1 "scaled" at 100, 0.8 tc ls 1
set label 2 "unscaled" at 1.5, 0.08 tc ls 2
plot data."/gradients.dat" using "d":"scaledscores" with lines ls 1, \
     "" using "d":"plainscores" with lines ls 2
unset ylabel
set title lines("at the queries, median", 20)
set yrange [1e-12:100]
set label 1 at 300, 4
set label 2 at 2, 1e-4
plot data."/gradients.dat" using "d":"scaledmedian" with lines ls 1, \
     "" using "d":"plainmedian" with lines ls 2
unset multiplot
