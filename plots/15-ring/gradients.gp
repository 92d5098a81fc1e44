# How much of the gradient of a block is complete after each message?
# Needs ring_attention_backward
load "plots/style.gp"

set title lines("Each rank adds its part, and with 8 parts the gradient is complete", 44)
set xlabel "number of messages"
set ylabel lines("share of the gradient that is complete", 30)
set xrange [0.7:8.6]
set yrange [-0.05:1.1]
set xtics 1
set label "block of rank 0" at 3.4, 0.24 textcolor rgb "#0072b2"
set label "block of rank 7" at 1.15, 0.55 textcolor rgb "#009e73"
set label "block of rank 4" at 1.2, 0.1 textcolor rgb "#d55e00"
plot data."/gradients.dat" using "messages":"first" with linespoints ls 1 pt 7, \
     "" using "messages":"middle" with linespoints ls 2 pt 7, \
     "" using "messages":"last" with linespoints ls 3 pt 6 ps 1.6
