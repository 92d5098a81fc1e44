# When does it learn where to look?
load "plots/style.gp"

set multiplot layout 2, 2 title "It finds out where to look in the first third of its training"
set cbrange [0:1]
set xrange [-0.5:6.5]
set yrange [7.5:-1.5]
set border 0
unset grid
unset colorbox
set tmargin ascii ? 0.5 : 1
set bmargin ascii ? 3 : 3.5
rounded(v) = ascii && v >= 0.05 ? number(v, 1) : " "
do for [i = 0:3] {
    set lmargin at screen i % 2 ? 0.55 : 0.1
    set rmargin at screen i % 2 ? 0.99 : 0.54
    if (i % 2) { unset ytics } else { set ytics scale 0.5 nomirror tc rgb "#404040" }
    set xlabel i < 2 ? "" : i < 3 ? "source (rows: words written)" : "bright: 1 (dimensionless)"
    plot run."/learning-".i.".dat" matrix rowheaders columnheaders with image pixels, \
         "" matrix rowheaders columnheaders using 1:2:(rounded($3)) with labels, \
         run."/learning-steps.dat" every ::(i + 1)::(i + 1) \
             using (3):(-1):("after step " . stringcolumn(2)) with labels
}
unset multiplot
