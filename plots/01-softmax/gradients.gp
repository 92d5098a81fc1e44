# How long is the gradient when the scores grow?
# Needs softmax softmax_backward
load "plots/style.gp"

set title lines("The gradient vanishes when the gaps grow, not when all scores grow", 44)
set xlabel "s, the size of the scores"
set ylabel lines("length of the gradient", 24)
set logscale y
set format y powers
set yrange [1e-9:10]
set label "scores s, 3s, 3s: a tie" at 3.5, 1.3 tc ls 2
set label "scores s+1, s+2, s+3: the same gaps" at 4.5, 0.08 tc ls 3
set label "scores s, 2s, 3s: the gaps grow" at 20, 2e-3 right tc ls 1
plot data."/gradients.dat" using "size":"multiplied" with lines ls 1, \
     "" using "size":"tied" with lines ls 2, \
     "" using "size":"added" with lines ls 3
