# Which of the three matrices learns when?
load "plots/style.gp"

stats run."/training.dat" every ::0::0 using \
    (ahead = column("W_v") / (column("W_q") + column("W_k")), 1) nooutput
set title found(ahead > 3, \
    "At first only the values learn; queries and keys follow later")
set xlabel "training step"
set ylabel lines("length of the gradient of W, mean of 10 steps", 34)
set logscale y
set format y powers
set yrange [0.01:4]
set label "W for the values" at 15, 2.9 textcolor rgb "#0072b2"
set label "W for the keys" at 230, 0.9 textcolor rgb "#d55e00"
set label "W for the queries" at 15, 0.08 textcolor rgb "#009e73"
plot run."/training.dat" using "step":"W_v" with lines ls 1, \
     "" using "step":"W_k" with lines ls 2, "" using "step":"W_q" with lines ls 3
