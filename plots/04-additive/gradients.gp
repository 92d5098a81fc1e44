# What is left of a query's gradient when queries and keys grow?
# Needs additive_scores additive_scores_backward additive_attention additive_attention_backward
load "plots/style.gp"

set title lines("With large inputs, the gradient of dot-product attention vanishes first", 44)
set xlabel lines("size of the numbers in queries and keys", 42)
set ylabel lines("length of the gradient of a query (median)", 30)
set logscale x
set xrange [0.1:31.6]
set yrange [0:0.95]
set label "scaled dot product" at 1.1, 0.89 textcolor rgb "#d55e00"
set label "additive" at 10, 0.14 textcolor rgb "#0072b2"
set label lines("here the softmax saturates", 14) at 4.4, narrow ? 0.45 : 0.3
plot data."/gradients.dat" using "size":"additive" with lines ls 1, \
     "" using "size":"dot" with lines ls 2
