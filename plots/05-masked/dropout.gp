# What does dropout do to the weights of a query?
# Needs masked_softmax_rows masked_attention dropout
load "plots/style.gp"

set title lines("Dropout sets some weights to 0 and raises the others, so the mean stays the same", 44)
set xlabel "key"
set ylabel lines('weight for the query "mat"', 24)
set yrange [0:0.85]
set boxwidth 0.38
set key top left reverse Left samplen 2
text(v) = v == 0 ? "0" : number(v, 2)
plot data."/dropout.dat" using ($0 - 0.2):"before":xtic(1) with boxes fc rgb "#56b4e9" title "before dropout", \
     "" using ($0 + 0.2):"after" with boxes fc rgb "#d55e00" title "after one draw at rate 0.3", \
     "" using ($0 - 0.2):"mean" with points pt 6 ps 1.4 lw 2 lc rgb "#000000" title "mean of 100000 draws", \
     "" using ($0 + 0.22):(column("after") + 0.03):(spared(text(column("after")))) with labels notitle, \
     "" using ($0 - 0.24):(column("before") + 0.07):(spared(text(column("before")))) with labels notitle
