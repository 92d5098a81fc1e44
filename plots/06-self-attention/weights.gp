# Which words does "it" attend to before, halfway and after training?
load "plots/style.gp"

mat = cat = 0
stats run."/warm.dat" using (strcol(1) eq "after" ? (mat = $7 - $3) : 0, 1) nooutput
stats run."/tired.dat" using (strcol(1) eq "after" ? (cat = $3 - $7) : 0, 1) nooutput
set multiplot layout 2, 1 title found(mat > 0.1 && cat > 0.1, \
    'The last word decides which noun "it" attends to')
set cbrange [0:0.9]
set yrange [] reverse
set border 0
set lmargin 11
unset grid
unset colorbox
if (narrow) set xtics rotate by 60 right; set tmargin 1.3; set bmargin 3.8
set ylabel "... was warm"
plot run."/warm.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 0.9)):(ink($3, 0, 0.9)) with labels textcolor rgb variable
set ylabel "... was tired"; if (narrow) set tmargin 0; set bmargin 5.2
set xlabel 'words of the sentence; each cell shows a weight' offset 0, 0.3
plot run."/tired.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 0.9)):(ink($3, 0, 0.9)) with labels textcolor rgb variable
unset multiplot
