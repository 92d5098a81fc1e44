# Does it learn the rule, or the sentences?
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
set title "It learns the rule: pairs of nouns that it never saw come out right, too"
set ylabel "cross-entropy (nats)"
set logscale y
set format y powers
set yrange [0.003:5]
plot run."/training.dat" using "step":"loss" with lines ls 1
unset title
unset logscale y
set format y "%g"
set xlabel "training step"
set ylabel "held-out, right (share)"
set yrange [0:1.1]
set label "chance between two nouns" at 400, 0.42
plot run."/training.dat" using "step":"right" with lines ls 1, 0.5 with lines ls 4
unset multiplot
