# Where does "it" look, before, halfway and after training?
load "plots/style.gp"

set multiplot layout 2, 1 title 'The last word decides which noun "it" looks at; nobody told it where'
set cbrange [0:0.9]
set yrange [] reverse
set border 0
set lmargin 11
unset grid
unset colorbox
set ylabel "training"
plot run."/warm.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 0.9)):(ink($3, 0, 0.9)) with labels textcolor rgb variable
set xlabel 'key: the word that "it" looks at (numbers: weights, dimensionless)'
plot run."/tired.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 0.9)):(ink($3, 0, 0.9)) with labels textcolor rgb variable
unset multiplot
