# What is the update gate for?
load "plots/style.gp"

stats data."/memory.dat" using "high" name "held" nooutput
found = "With z = 0.95, little gets in, but " . number(held_min / held_max, 2) . \
    " of it is left after 40 words"
set title lines(found, 44)
set xlabel "words read, including the first"
set ylabel "gradient at the first word"
set logscale y
set format y powers
set xrange [0:41]
set yrange [1e-10:1]
set label "update gate z held at 0.95" at 12, 0.09 textcolor rgb "#0072b2"
set label "at 0.5" at 20.5, 1e-4 textcolor rgb "#d55e00"
set label "at 0.1" at 15, 1.2e-6 textcolor rgb "#009e73"
plot data."/memory.dat" using "words":"high" with lines ls 1, \
     "" using "words":"middle" with lines ls 2, "" using "words":"low" with lines ls 3
