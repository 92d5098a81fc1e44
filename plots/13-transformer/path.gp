# How much of a gradient arrives at an earlier token, by its distance?
load "plots/style.gp"

stats data."/path.dat" using ($1 > 0 ? (far = $2, gru = $3, $2) : NaN) name "way" nooutput
set title found(way_min > 0.005, sprintf( \
    "Transformer: %.2f to %.2f at any distance; GRU: %.0f percent less per token", \
    way_min, way_max, 100 * (1 - gru ** (1 / 60.0))))
set xlabel "distance in tokens (0: the last token itself)"
set ylabel lines("length of the gradient that arrives", 24)
set logscale y
set format y powers
set xrange [-1:61]
set yrange [1e-12:10]
set label "transformer, two blocks" at 20, 0.15 textcolor rgb "#0072b2"
set label lines("encoder of lesson 07, a GRU", 16) at 28, 1e-4 textcolor rgb "#d55e00"
plot data."/path.dat" using "distance":"transformer" with lines ls 1, \
     "" using "distance":"gru" with lines ls 2
