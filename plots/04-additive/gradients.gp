# What is left of a query's gradient when queries and keys grow?
# Needs additive_scores additive_scores_backward additive_attention additive_attention_backward
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
set logscale xy
set format y powers
set xrange [0.1:31.6]
set ytics 1e-8, narrow ? 1e4 : 100
set ylabel lines("length", 15)
set title lines("With large inputs, the gradient of dot-product attention vanishes first", 44)
set label 1 "median gradient of a query, if one score is the loss" at 0.12, 6e4
set label 2 "scaled dot product" at 3, 100 right
set label 3 "additive: the tanh saturates" at 0.5, 3e-3
plot [] [1e-4:1e6] data."/gradients.dat" using "size":"additivescore" with lines ls 1, \
     "" using "size":"dotscore" with lines ls 2
unset title
set xlabel lines("size of the numbers in queries and keys", 42)
set label 1 "... and if the loss depends on the output" at 0.12, 1e3
set label 2 lines("scaled dot product: the softmax saturates", 24) at 0.12, 1e-4 left
set label 3 "additive" at 12, 10
plot [] [1e-8:1e4] data."/gradients.dat" using "size":"additiveout" with lines ls 1, \
     "" using "size":"dotout" with lines ls 2
unset multiplot
