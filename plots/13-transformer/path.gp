# How much of a gradient gets back to a word, by how far away it is?
load "plots/style.gp"

stats data."/path.dat" using ($1 > 0 ? (far = $2, gru = $3, $2) : NaN) name "way" nooutput
set title found(way_min > 0.005, sprintf( \
    "New networks: %.2f to %.2f at any distance, or %.0f percent less at every word", \
    way_min, way_max, 100 * (1 - gru ** (1 / 60.0))))
set xlabel "words between (0: the last word itself)"
set ylabel lines("gradient that reaches a word, of 1 behind the last (dimensionless)", 34)
set logscale y
set format y powers
set xrange [-1:61]
set yrange [1e-12:10]
set label "transformer, two blocks" at 20, 0.15 textcolor rgb "#0072b2"
set label lines("lesson 07's reader, a GRU", 16) at 28, 1e-4 textcolor rgb "#d55e00"
plot data."/path.dat" using "distance":"transformer" with lines ls 1, \
     "" using "distance":"gru" with lines ls 2
