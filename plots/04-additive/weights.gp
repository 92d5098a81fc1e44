# Where does the decoder look while it writes?
# Needs additive_scores additive_attention
load "plots/style.gp"

set title lines("Each French word attends most to the English word of its kind", 44)
set xlabel "key: the English word"
set ylabel "query: next French word"
set cblabel "weight"
set cbrange [0:0.8]
set yrange [] reverse
set border 0
unset grid
plot data."/weights.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 2, 0, 0.8)):(ink($3, 0, 0.8)) with labels textcolor rgb variable
