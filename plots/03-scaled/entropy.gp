# How evenly are the weights spread before training?
# Needs attention_scale scaled_dot_product_attention scaled_dot_product_attention_backward mean_entropy
load "plots/style.gp"

set title lines("Without the scale, one key gets nearly all the weight before training", 44)
set xlabel "d, the dimensions of queries and keys"
set ylabel "mean entropy of the weights (nats)"
set logscale x
set xrange [1:4096]
set yrange [0:2.6]
set label "ln 10: ten equal weights" at 1.5, 2.43
set label "scaled" at 300, 1.77 tc ls 1
set label "unscaled" at 30, 0.75 tc ls 2
set label "0: one key has all the weight" at 1.5, 0.1
plot data."/entropy.dat" using "d":(log(column("keys"))) with lines ls 4, \
     "" using "d":"scaled" with lines ls 1, \
     "" using "d":"plain" with lines ls 2
