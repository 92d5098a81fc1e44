# By which ways does the loss of one output reach the words?
load "plots/style.gp"

set title "Three paths lead to the words, and here they pull against each other"
set xlabel 'word (the loss is on the output of "it" alone)'
set ylabel "rise of the loss as the word grows (dimensionless)"
set yrange [-0.5:1.2]
set boxwidth 0.24
set label "by its key" at 1, 0.62 center
set label "by its value" at 2.25, 0.84 center
set label "by its query" at 3.75, 0.70 center
set label "o: all together, the sum of the bars" at -0.4, 1.1
plot data."/gradients_paths.dat" using ($0 - 0.25):"q" with boxes fc rgb "#e69f00", \
     "" using 0:"k":xtic(1) with boxes fc rgb "#b8e2f8", \
     "" using ($0 + 0.25):"v" with boxes fc rgb "#0072b2", \
     0 with lines lc rgb "#777777", \
     "" using 0:"together" with points pt 6 ps 2 lw 2 lc rgb "#000000"
