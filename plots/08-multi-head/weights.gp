# To which tokens does one head attend if it needs two of them, and to which do two heads?
load "plots/style.gp"

# Columns 2 and 3 are the cat and the dog; rows are the one head, then the two.
mixed = apart = 1
stats run."/weights.dat" every ::1 using \
    ($0 == 0 ? (mixed = $2 > 0.2 && $3 > 0.2) : (apart = apart && ($2 > 0.8 || $3 > 0.8)), 1) nooutput
set title found(mixed && apart, \
    "One head divides its weight, but with two heads, each attends to one token")
set xlabel "token: its role and its noun"
set cblabel "weight"
set cbrange [0:1]
set yrange [2.5:-0.5]
set border 0
unset grid
if (latex || narrow) set xtics rotate by 30 right
set arrow from -0.5, 0.5 to 4.5, 0.5 nohead front lw 8 lc rgb "#ffffff"
plot run."/weights.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 1)):(ink($3, 0, 1)) with labels textcolor rgb variable
