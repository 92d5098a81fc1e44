# Which word looks at which?
# Needs dot dot_scores blend dot_product_attention
load "plots/style.gp"

set title lines("Each word finds its like, and two equal keys share alike", 44)
set xlabel "key: the word looked at"
set ylabel "query: the word that looks"
set cblabel "weight (dimensionless)"
set cbrange [0:0.8]
set yrange [] reverse
set border 0
unset grid
plot data."/weights.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 0.8)):(ink($3, 0, 0.8)) with labels textcolor rgb variable
