# Which part of which block has most to learn?
load "plots/style.gp"

behind = 1
stats run."/gradients.dat" using (behind = behind && column("look1") < column("fetch1") \
    && column("look2") < column("fetch2"), 1) nooutput
set multiplot layout 1, 2 title found(behind, \
    "What to fetch has more to learn than where to look, in both blocks")
set logscale y
set yrange [0.01:1]
set format y powers
set ylabel lines("length of the gradient (dimensionless)", 30)
set xlabel "training step, block 1"
set xrange [0:*]
set xtics 200
set label 1 "thinking" at 180, 0.45 textcolor rgb "#009e73"
set label 2 "where to look" at 150, 0.014 textcolor rgb "#d55e00"
do for [block = 1:2] {
    set label 3 "what to fetch" at narrow ? 200 : 280, block == 1 ? 0.054 : 0.08 textcolor rgb "#0072b2"
    plot run."/gradients.dat" using "step":"think".block with lines ls 3, \
         "" using "step":"fetch".block with lines ls 1, "" using "step":"look".block with lines ls 2
    set ylabel " "
    set xlabel "training step, block 2"
}
unset multiplot
