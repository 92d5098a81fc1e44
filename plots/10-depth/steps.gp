# How much does the learning rate matter?
load "plots/style.gp"

learns(k) = strcol(k) ne "nan" && column(k) < 0.1
stats run."/steps.dat" using (adam = learns(2) + learns(3) + learns(4), \
    sgd = learns(5) + learns(6) + learns(7), last = strcol(7), 1) nooutput
set multiplot layout 1, 2 title lines(sprintf( \
    "Adam gets below 0.1 nats at %d of 3 rates, SGD at %d", adam, sgd), 40)
set logscale y
set format y powers
set yrange [1e-4:20]
set xtics 0, 100
set xlabel "training step, Adam"
set ylabel "cross-entropy (nats)" offset 1
set label 1 "rate .002" at graph 0.58, 0.66 textcolor rgb "#009e73"
set label 2 ".005" at graph 0.3, 0.35 right textcolor rgb "#0072b2"
set label 3 ".05" at graph 0.7, 0.06 textcolor rgb "#d55e00"
plot run."/steps.dat" using 1:3 with lines ls 3, "" using 1:2 with lines ls 1, \
     "" using 1:4 with lines ls 2
set xlabel "training step, SGD"
set ylabel " "
set label 1 "rate .05" at graph 0.55, 0.78
set label 2 ".3" at graph 0.2, 0.45 right
set label 3 (last eq "nan" ? "1: not a number" : "1") at graph 0.1, 0.95
plot run."/steps.dat" using 1:5 with lines ls 3, "" using 1:6 with lines ls 1
