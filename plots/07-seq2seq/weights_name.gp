# How does the decoder write a name that was rare in training?
load "plots/style.gp"

set title lines("A rare name is copied: its row attends to the same name", 44)
set xlabel lines("word of the source (frame: same meaning)", 44)
set ylabel "word written"
set cblabel "weight"
set cbrange [0:1]
set xrange [-0.5:8.5]
set yrange [9.5:-0.5]
set border 0
unset grid
set style fill empty border
if (latex || narrow) set xtics rotate by 45 right
if (ascii) set lmargin 7; set rmargin 1; set xlabel "source (brackets: the same meaning)"
text(v) = ascii ? number(v, 2) : cell(v, 2, 0, 1) # no room for bars
x(j) = ascii ? -9 : j # ... nor for frames
plot run."/copying.dat" matrix rowheaders columnheaders with image pixels, \
     run."/copying-true.dat" using 1:2:(ascii ? "[    ]" : " ") with labels, \
     "" using (x($1)):2:(0.46):(0.43) with boxxyerror lw 5 lc rgb "#000000", \
     "" using (x($1)):2:(0.46):(0.43) with boxxyerror lw 2 lc rgb "#ffffff", \
     run."/copying.dat" matrix rowheaders columnheaders \
     using 1:2:(text($3)):(ink($3, 0, 1)) with labels textcolor rgb variable
