# Does "it" make up its mind?
load "plots/style.gp"

set title 'From all words alike to about three of them: "it" makes up its mind'
set xlabel "training step"
set ylabel 'mean entropy of the row of "it" (nats)'
set yrange [0:2.6]
set label "all words alike" at 300, 2.5
set label "two words alike" at 300, 0.79
plot run."/training.dat" using "step":"entropy" with lines ls 1, \
     log(11) with lines ls 4, log(2) with lines ls 4
