# Does the head learn the rule, or only its training sentences?
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
stats run."/training.dat" using (right = 100 * column("right"), 1) nooutput
set title lines(sprintf( \
    "Of sentences about pairs of nouns that it never saw, %.0f in 100 are right", right), 44)
set ylabel lines("cross-entropy (nats)", 14)
set logscale y
set format y powers
set yrange [0.003:5]
plot run."/training.dat" using "step":"loss" with lines ls 1
unset title
unset logscale y
set format y "%g"
set xlabel "training step"
set ylabel lines("held-out, right (share)", 14)
set yrange [0:1.1]
set label "chance between two nouns" at 590, 0.38 right
plot run."/training.dat" using "step":"right" with lines ls 1, 0.5 with lines ls 4
unset multiplot
