# How far is the gradient of a block from complete after each message?
# Needs ring_attention_backward
load "plots/style.gp"

set title lines("The gradient of a block is complete only when all 8 ranks have added a part", 44)
set xlabel "number of messages (each adds the part of one rank)"
set ylabel lines("distance from the complete gradient (share of its length)", 30)
set xrange [0.4:8.6]
set yrange [0:1]
set xtics 1
set boxwidth 0.6
set label lines("The parts have different signs, so the sum can also move away.", 34) at 0.6, 0.92
plot data."/gradients.dat" using "messages":"missing" with boxes lc rgb "#0072b2", \
     "" using "messages":(column("missing") + 0.05):(spared(number(column("missing"), 2))) with labels
