# Which query may attend to which key, and what are the weights of the rest?
# Needs causal_mask padding_mask masked_softmax_rows masked_attention
load "plots/style.gp"

set multiplot layout 1, 2 \
    title lines("Blocked keys have weight 0, and every row still sums to 1", 44)
set cbrange [0:1]
set xrange [-0.5:5.5]
set yrange [5.5:-0.5]; set border 0
set lmargin narrow ? 7 : 9; set rmargin narrow ? 0 : 1
if (narrow) set xtics rotate by 60 right
unset grid; unset colorbox
set object rectangle from graph 0, 0 to graph 1, 1 behind fc rgb "#999999" fs pattern 4 noborder
shown(v) = v == 0 ? NaN : v
text(v)  = v == 0 ? (ascii ? "x" : "") : ascii ? number(v, 2) : cell(v, 2, 0, 1)
set xlabel ascii ? "key (x: blocked)" : "key (hatched: blocked)"
set ylabel "query"
set title "causal mask"
plot data."/causal.dat" matrix rowheaders columnheaders using 1:2:(shown($3)) with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(text($3)):(ink($3, 0, 1)) with labels textcolor rgb variable
set title "padding mask, length 3"
plot data."/padded.dat" matrix rowheaders columnheaders using 1:2:(shown($3)) with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(text($3)):(ink($3, 0, 1)) with labels textcolor rgb variable
