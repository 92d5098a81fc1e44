# When does the decoder learn where to attend?
load "plots/style.gp"

set multiplot layout 2, 2 title "The weights become an alignment during training"
set cblabel "weight"
set ylabel "word written"
set cbrange [0:1]; set xrange [-0.5:6.5]; set yrange [7.5:-1.5]
set border 0; unset grid
set tmargin ascii ? 0.5 : 1
set bmargin ascii ? 3 : 3.5
rounded(v) = ascii && v >= 0.05 ? number(v, 1) : " "
do for [i = 0:3] {
    left = (narrow ? 0.2 : 0.11) + 0.4 * (i % 2)
    set lmargin at screen left; set rmargin at screen left + 0.38
    if (!ascii) { set tmargin at screen 0.91 - 0.38 * (i / 2); set bmargin at screen 0.56 - 0.38 * (i / 2) }
    if (!ascii) { if (i < 2) { unset xtics } else { set xtics scale 0.5 nomirror rotate by (narrow ? 60 : 30) right tc rgb "#404040" } }
    if (i % 2) { unset ytics; unset ylabel } else { set ytics scale 0.5 nomirror tc rgb "#404040" }
    if (i == 3 && !ascii && !narrow) { set colorbox user origin 0.91, 0.18 size 0.02, 0.73 } else { unset colorbox }
    set xlabel i < 2 ? "" : "word of the source"
    plot run."/learning-".i.".dat" matrix rowheaders columnheaders with image pixels, \
         "" matrix rowheaders columnheaders using 1:2:(rounded($3)) with labels, \
         run."/learning-steps.dat" every ::(i + 1)::(i + 1) \
             using (3):(-1):("after step " . stringcolumn(2)) with labels
}
unset multiplot
