# Which matrices of which block get the longest gradients?
load "plots/style.gp"

shorter = 1
stats run."/gradients.dat" using (shorter = shorter && column("qk1") < column("vo1") \
    && column("qk2") < column("vo2") && column("qk1") < column("ff1") \
    && column("qk2") < column("ff2"), 1) nooutput
set multiplot layout 1, 2 title found(shorter, \
    "The matrices of queries and keys get the shortest gradients")
set logscale y; set format y powers
set yrange [0.01:1]
set ylabel lines("length of the gradient", 30)
set xlabel "training step, block 1"
set xrange [0:*]; set xtics 200
set label 1 "feed-forward" at 180, 0.45 textcolor rgb "#009e73"
set label 2 "queries, keys" at 150, 0.014 textcolor rgb "#d55e00"
do for [block = 1:2] {
    set label 3 "values, output" at narrow ? 200 : 280, block == 1 ? 0.054 : 0.08 textcolor rgb "#0072b2"
    plot run."/gradients.dat" using "step":"ff".block with lines ls 3, \
         "" using "step":"vo".block with lines ls 1, "" using "step":"qk".block with lines ls 2
    set ylabel " "
    set xlabel "training step, block 2"
}
unset multiplot
