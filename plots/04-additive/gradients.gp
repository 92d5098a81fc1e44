# What is left of a query's gradient when queries and keys grow?
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
set logscale xy
set format y powers
set xrange [0.1:31.6]
set ytics 100
set ylabel "length (dimensionless)"
set title "Large inputs: tanh fades, but a softmax over large dot products dies at once"
set label 1 "median gradient of a query, from one score" at 0.12, 800
set label 2 "scaled dot product" at 10, 60 right
set label 3 "additive: the tanh saturates" at 0.5, 0.01
plot [] [1e-4:1e4] data."/gradients.dat" using "size":"additivescore" with lines ls 1, \
     "" using "size":"dotscore" with lines ls 2
unset title
set xlabel "size of the numbers in queries and keys (dimensionless)"
set label 1 "... and from the output, through the softmax" at 0.12, 200
set label 2 "scaled dot product: the softmax saturates" at 0.12, 1e-6 left
set label 3 "additive" at 10, 3
plot [] [1e-8:1e4] data."/gradients.dat" using "size":"additiveout" with lines ls 1, \
     "" using "size":"dotout" with lines ls 2
unset multiplot
