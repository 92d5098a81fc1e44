# Which word attends to which?
# Needs dot dot_scores blend dot_product_attention
load "plots/style.gp"

set title lines("Similar words get large weights, and equal keys get equal weights", 44)
set xlabel "key: word of the input"
set ylabel "query: word of the output"
set cblabel "weight"
set cbrange [0:0.8]
set yrange [] reverse
set border 0
unset grid
plot data."/weights.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 0.8)):(ink($3, 0, 0.8)) with labels textcolor rgb variable
