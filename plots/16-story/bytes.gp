# How far are the logits of int8 from those of double?
load "plots/style.gp"

stats run."/bytes.dat" every ::1 using (abs($1) < 0.16 ? $2 : 0) name "near" nooutput
stats run."/bytes.dat" every ::1 using ($1 * $2) name "mean" nooutput
said = sprintf("%.0f percent of the differences are below .165, and their mean is %.3f", 100 * near_sum, mean_sum)
set title found(near_sum > 0.5, said)
set xlabel "logit of int8 minus logit of double"
set ylabel lines("share of all logits of our text", 20)
set xrange [-0.6:0.6]; set yrange [0:*]; set boxwidth 0.026
if (!ascii) set grid noxtics ytics
plot run."/bytes.dat" using 1:2 with boxes lc rgb "#0072b2"
