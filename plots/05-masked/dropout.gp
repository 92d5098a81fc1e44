# What does dropout do to the weights of a query?
# Needs masked_softmax_rows masked_attention dropout
load "plots/style.gp"

set title lines("Dropout sets some weights to 0 and raises the others, so the mean stays the same", 44)
set xlabel "key"
set ylabel lines('weight for the query "mat"', 24)
set yrange [0:0.85]
set boxwidth 0.38
step = narrow ? 0.08 : 0.05
set label "left bar: before" at -0.4, 0.8
set label "right bar: one draw at rate 0.3" at -0.4, 0.8 - step
set label "circle: mean of 100000 draws" at -0.4, 0.8 - 2 * step
text(v) = v == 0 ? "0" : number(v, 2)
plot data."/dropout.dat" using ($0 - 0.2):"before":xtic(1) with boxes fc rgb "#56b4e9", \
     "" using ($0 + 0.2):"after" with boxes fc rgb "#d55e00", \
     "" using ($0 - 0.2):"mean" with points pt 6 ps 1.4 lw 2 lc rgb "#000000", \
     "" using ($0 + 0.22):(column("after") + 0.03):(spared(text(column("after")))) with labels, \
     "" using ($0 - 0.24):(column("before") + 0.07):(spared(text(column("before")))) with labels
