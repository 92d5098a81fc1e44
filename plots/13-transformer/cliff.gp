# Up to which length are translations right, here and in lesson 07?
load "plots/style.gp"

other = run."/../../07-seq2seq/run/accuracy.dat"
there = system("test -f '".other."' && echo yes") eq "yes"
inside = beyond = 0
stats run."/accuracy.dat" using (inside = $1 == 20 ? $2 : inside, \
    beyond = $1 == 25 ? $2 : beyond, 1) nooutput
set title found(inside > 0.5 && beyond < 0.1, sprintf( \
    "Transformer: with 20 words %.2f of the sentences are right, with 25 words %.2f", inside, beyond))
set xlabel lines("words in the source (grey line: longest in training)", 42)
set ylabel lines("share of correct sentences", 20)
set xrange [4:31]
set yrange [-0.03:1.1]
set arrow from 20, -0.03 to 20, 1.1 nohead lw 2 lc rgb "#777777"
set label "transformer" at 11, 0.8 textcolor rgb "#0072b2"
if (there) set label lines("GRU with attention", 10) at 23.5, 0.8 textcolor rgb "#d55e00"
if (!there) set label "make run-07 adds its curve" at 5, 0.1 textcolor rgb "#555555"
if (there) plot other using 1:3 with linespoints ls 2 pt 6 ps 1.6, \
     run."/accuracy.dat" using 1:2 with linespoints ls 1 pt 7
if (!there) plot run."/accuracy.dat" using 1:2 with linespoints ls 1 pt 7
