# To which words does "bank" attend?
load "plots/style.gp"

# The words that show the topic: floods, deep, river.
stats run."/weights.dat" every ::1 using (($4 + $6 + $10)) name "topic" nooutput
set title lines(sprintf( \
    "Floods, deep and river show the topic: they get %.2f of the weight of 'bank'", topic_mean), 44)
set xlabel "key"
set cblabel "weight"
set cbrange [0:1]
set yrange [7.5:-0.5]
set border 0
unset grid
set xtics rotate by 30 right
if (!ascii) set for [x in "2 4 8"] object rectangle from x - 0.5, -0.5 to x + 0.5, 7.5 front fs empty border rgb "#d55e00" lw 3
if (!ascii) set arrow from -0.5, 3.5 to 8.5, 3.5 nohead front lw 8 lc rgb "#ffffff"
plot run."/weights.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 1)):(ink($3, 0, 1)) with labels textcolor rgb variable
