# How far is the writer's loss from the lowest possible one?
load "plots/style.gp"

above = last = 0
stats run."/training-writer.dat" using (last = $1, 1) nooutput
stats run."/held-out.dat" using (above = $1 - $2, 1) nooutput
set title found(above > 0 && above < 0.2, sprintf( \
    "The writer's loss on new lines ends %.4f nats above the lower bound", above))
set xlabel "training step"
set ylabel lines("loss per character (nats)", 22)
set logscale y
set xrange [-0.02 * last:1.02 * last]
set yrange [0.22:6]
set ytics (0.25, 0.36, 0.5, 1, 2, 4)
set label "guess among 31 characters: log 31" at 0.3 * last, 3.9 textcolor rgb "#555555"
set label "writer, on the lines of each step" at 0.13 * last, 1.2 textcolor rgb "#0072b2"
set label "lower bound: the grammar's loss, same lines" at 0.15 * last, 0.29 textcolor rgb "#d55e00"
plot log(31) with lines ls 4, run."/training-writer.dat" using "step":"loss" with lines ls 1, \
     "" using "step":"truth" with lines ls 2
