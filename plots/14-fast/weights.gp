# How do the terms of the online softmax change with each key?
# Needs online_softmax_step
load "plots/style.gp"

set multiplot layout 1, 2 title lines("All terms shrink when a larger score comes", 44)
set cbrange [0:1]; unset colorbox
set border 0; unset grid
set xrange [-0.5:7.5]; set yrange [7.5:-0.5]
set xtics ("1" 0, "2" 1, "5" 2, "0" 3, "4" 4, "6" 5, "3" 6, "5" 7)
set ytics ("1" 0, "2" 1, "3" 2, "4" 3, "5" 4, "6" 5, "7" 6, "8" 7)
set xlabel "score of the key"
text(v) = v == 0 ? " " : ascii ? number(v, 1) : cell(v, 2 - narrow, 0, 1)
do for [side in "-terms ."] {
    terms = side eq "-terms"
    set ylabel terms ? "keys so far" : " "
    set xlabel terms ? "terms, by score of the key" : "weights: terms divided by sum"
    plot data."/weights".(terms ? side : "").".dat" matrix with image pixels, \
         "" matrix using 1:2:(text($3)):(ink($3, 0, 1)) with labels textcolor rgb variable
}
unset multiplot
