# Which head answers which question, and when is it decided?
load "plots/style.gp"

decided = last = 0
stats run."/two.dat" using (last = column("who_0") - column("who_1"), \
    decided = decided == 0 && abs(last) > 0.5 ? column("step") : decided, 1) nooutput
set multiplot layout 2, 1
set lmargin 11
set xrange [0:400]; set xtics 100
set title found(decided > 0, sprintf( \
    "Decided after %d steps: one head attends to who, the other does not", decided))
set ylabel lines("gradient of W (length)", 14)
set logscale y; set format y powers
set yrange [1e-4:1]; set ytics 1e-4, 100
plot run."/two.dat" using "step":"length_0" with lines ls 1, \
     "" using "step":"length_1" with lines ls 2
unset title; unset logscale y; set format y "%g"
set xlabel "training step (two heads)"
set ylabel lines("mean weight on who (share)", 14)
set yrange [0:1.1]; set ytics 0.5
set label "head 0" at 300, last > 0 ? 0.8 : 0.12 front textcolor rgb "#0072b2"
set label "head 1" at 300, last > 0 ? 0.12 : 0.8 front textcolor rgb "#d55e00"
plot run."/two.dat" using "step":"who_0" with lines ls 1, \
     "" using "step":"who_1" with lines ls 2, 0.2 with lines ls 4
unset multiplot
