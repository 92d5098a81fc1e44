# Where does the decoder attend when the word order changes?
load "plots/style.gp"

set title lines("The weights follow the meaning, although adjectives and verbs change places", 44)
set xlabel lines("word of the source (frame: same meaning)", 44)
set ylabel "word written"
set cblabel "weight"
set cbrange [0:1]
set xrange [-0.5:13.5]
set yrange [14.5:-0.5]
set border 0
unset grid
set style fill empty border
if (latex || narrow) set xtics rotate by 45 right
if (ascii) set lmargin 7; set rmargin 1; set xlabel "source (brackets: the same meaning)"
rounded(v) = ascii && v >= 0.05 ? number(v, 1) : " "
x(j) = ascii ? -9 : j # a terminal has no room for frames
plot run."/reordering.dat" matrix rowheaders columnheaders with image pixels, \
     run."/reordering-true.dat" using 1:2:(ascii ? "[   ]" : " ") with labels, \
     "" using (x($1)):2:(0.46):(0.43) with boxxyerror lw 5 lc rgb "#000000", \
     "" using (x($1)):2:(0.46):(0.43) with boxxyerror lw 2 lc rgb "#ffffff", \
     run."/reordering.dat" matrix rowheaders columnheaders using 1:2:(rounded($3)) with labels
