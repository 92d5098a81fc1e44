# Which tokens get a gradient from the loss of one output, under the causal mask?
# Needs causal_mask masked_softmax_rows masked_attention masked_attention_backward
load "plots/style.gp"

set multiplot layout 1, 2 \
    title lines("No gradient reaches a later token, nor the only allowed key of a query", 44)
set xrange [-0.5:5.5]
set yrange [5.5:-0.5]; set border 0
set lmargin narrow ? 7 : 9; set rmargin narrow ? 0 : 1; unset grid; unset colorbox
set object rectangle from graph 0, 0 to graph 1, 1 behind fc rgb "#999999" fs pattern 4 noborder
shown(v) = v == 0 ? NaN : v
text(v)  = v == 0 ? (ascii ? "x" : "") : ascii ? number(v, 2) : cell(v, 2, 0, most)
set xlabel ascii ? "token (x: exactly 0)" : lines("token (hatched: exactly 0)", 20)
set ylabel "the only output in the loss"
if (narrow) set xtics rotate by 60 right
set title lines("gradient of the key (length)", 20)
most = 0.25; set cbrange [0:most]
plot data."/to_keys.dat" matrix rowheaders columnheaders \
     using 1:2:(shown($3)) with image pixels, "" matrix rowheaders columnheaders \
     using 1:2:(text($3)):(ink($3, 0, most)) with labels textcolor rgb variable
set title lines("gradient of the value (length)", 20); set ylabel " "
most = 1.5; set cbrange [0:most]
plot data."/to_values.dat" matrix rowheaders columnheaders \
     using 1:2:(shown($3)) with image pixels, "" matrix rowheaders columnheaders \
     using 1:2:(text($3)):(ink($3, 0, most)) with labels textcolor rgb variable
