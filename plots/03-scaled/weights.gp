# How much does the best key get, and does that depend on the size of the keys?
# Needs attention_scale scaled_dot_product_attention scaled_dot_product_attention_backward mean_entropy
load "plots/style.gp"

set title lines("Only without the scale does the best key get more as d grows", 40)
set xlabel "keys of a query, sorted: 1 is the best key"
set ylabel "d, the dimensions of a key"
set cblabel "mean weight"
set cbrange [0:1]
set yrange [] reverse
set border 0
unset grid
if (!ascii) set arrow from -0.5, 2.5 to 9.5, 2.5 nohead front lw 6 lc rgb "white"
plot data."/weights.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 1)):(ink($3, 0, 1)) with labels textcolor rgb variable
