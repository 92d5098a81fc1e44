# How evenly are the attention weights spread during training?
load "plots/style.gp"

# The entropy of n equal weights is log(n).
first = -1
see(x) = (first = first < 0 ? x : first, last = x)
stats run."/training-attention-40.dat" using (see(column("entropy"))) nooutput
found = "Spread over " . number(exp(first), 0) . " of 20 words at first, over " . \
    number(exp(last), 1) . " at the end"
set title lines(found, 44)
set xlabel "share of the training"
set ylabel "mean entropy of the weights (nats)"
set xrange [0:1]; set xtics 0.2; set rmargin 16
set yrange [0:3.4]
set label "20 equal weights" at 1.01, log(20)
set label "10 equal weights" at 1.01, log(10)
set label "2 equal weights" at 1.01, log(2)
set label "sentences of 20 words" at 0.14, 2.1 textcolor rgb "#0072b2"
set label "sentences of 10 words" at 0.3, 0.34 textcolor rgb "#d55e00"
set label "dates" at 0.6, 1.25 textcolor rgb "#009e73"
plot run."/training-attention-40.dat" using ($0 / 40):"entropy" with lines ls 1, \
     run."/training-attention-20.dat" using ($0 / 40):"entropy" with lines ls 2, \
     run."/training-dates.dat" using ($0 / 40):"entropy" with lines ls 3, \
     log(20) with lines ls 4, log(10) with lines ls 4, log(2) with lines ls 4
