# Which rows of a learned table ever learn?
load "plots/style.gp"

set title "No gradient reaches a place that no sentence of the training has"
set xlabel "row of the table: the place of a word"
set ylabel lines("length of the gradient, mean of all steps (dimensionless)", 30)
set xrange [-1:60]
set yrange [0:*]
set arrow from 19.5, graph 0 to 19.5, graph 1 nohead lw 2 lc rgb "#777777"
plot run."/gradients.dat" using "place":"before" with impulses lw 5 lc rgb "#0072b2", \
     "" using "place":"mirror" with points pt 7 ps 1 lc rgb "#d55e00"
