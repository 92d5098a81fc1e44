# How many of the two answers are right, with one head and with two?
load "plots/style.gp"

stats run."/one.dat" using (one = column("right"), 1) nooutput
stats run."/trick.dat" using (trick = column("right"), 1) nooutput
stats run."/two.dat" using (two = column("right"), steps = column("step"), 1) nooutput
found = sprintf("Two heads get %.0f of 100 answers right, one head gets %.0f", \
    100 * two, 100 * one)
set title lines(found, 44)
set xlabel "training step"
set ylabel lines("share of right answers", 26)
set rmargin narrow ? 16 : 20
set xrange [0:steps]
set yrange [0:1.1]
set xtics narrow ? 400 : 200
set label "two heads" at 1.02 * steps, two textcolor rgb "#0072b2"
set label narrow ? "one, nouns" : "one, nouns in keys" at 1.02 * steps, trick textcolor rgb "#009e73"
set label "one head" at 1.02 * steps, one > 0.56 ? one : 0.56 textcolor rgb "#d55e00"
set label narrow ? "1 of 2" : "guess: 1 of 2" at 1.02 * steps, 0.46
set label narrow ? "1 of 5" : "guess: 1 of 5" at 1.02 * steps, 0.2
plot run."/two.dat" using "step":"right" with lines ls 1, \
     run."/trick.dat" using "step":"right" with lines ls 3, \
     run."/one.dat" using "step":"right" with lines ls 2, \
     0.5 with lines ls 4, 0.2 with lines ls 4
