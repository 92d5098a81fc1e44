# How far is the writer from the best that can be?
load "plots/style.gp"

above = last = 0
stats run."/training-writer.dat" using (last = $1, above = $2 - $3, 1) nooutput
set title found(above > 0 && above < 0.2, \
    sprintf("After %.0f steps the writer is %.3f nats above a floor that is known", last, above))
set xlabel "training step"
set ylabel lines("loss of a letter (nats)", 20)
set logscale y
set xrange [-0.02 * last:1.02 * last]
set yrange [0.22:6]
set ytics (0.25, 0.36, 0.5, 1, 2, 4)
set label "guessing: log 31" at 0.3 * last, 3.9 textcolor rgb "#555555"
set label "the writer" at 0.13 * last, 1.2 textcolor rgb "#0072b2"
set label "the grammar itself, the same lines" at 0.2 * last, 0.29 textcolor rgb "#d55e00"
plot log(31) with lines ls 4, run."/training-writer.dat" using "step":"loss" with lines ls 1, \
     "" using "step":"truth" with lines ls 2
