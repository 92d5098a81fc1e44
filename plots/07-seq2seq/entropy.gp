# How sure is it of where to look?
load "plots/style.gp"

set title "First it looks at all words alike, in the end at few of them"
set xlabel "share of the training (dimensionless)"
set ylabel "mean entropy of the weights (nats)"
set xrange [0:1.25]
set xtics 0, 0.2, 1
set yrange [0:3.4]
set label "20 words alike" at 0.93, 3.2
set label "10 words alike" at 0.93, 2.5
set label "2 words alike" at 1, 0.85
set label "sentences of 20 words" at 0.14, 2.1 textcolor rgb "#0072b2"
set label "sentences of 10 words" at 0.3, 0.34 textcolor rgb "#d55e00"
set label "dates" at 0.6, 1.25 textcolor rgb "#009e73"
plot run."/training-attention-40.dat" using ($0 / 40):"entropy" with lines ls 1, \
     run."/training-attention-20.dat" using ($0 / 40):"entropy" with lines ls 2, \
     run."/training-dates.dat" using ($0 / 40):"entropy" with lines ls 3, \
     log(20) with lines ls 4, log(10) with lines ls 4, log(2) with lines ls 4
