# Which keys does the gradient reach?
load "plots/style.gp"

set title "A key without weight gets no gradient, not even the right one"
set xlabel "key (the right one is cat)"
set ylabel "pull towards the query (dimensionless)"
set yrange [-0.28:0.28]
set boxwidth 0.38
set label "left bar: a short query, in doubt" at 1.55, 0.22
set label "right bar: 6 times as long, sure of mat" at 1.55, 0.18
set label "on each bar: the weight of the key" at 1.55, 0.14
tip(v) = v < 0 ? v - 0.02 : v + 0.02
plot data."/gradients.dat" using ($0 - 0.2):"pull":xtic(1) with boxes fc rgb "#56b4e9", \
     "" using ($0 + 0.2):"longpull" with boxes fc rgb "#d55e00", \
     "" using ($0 - 0.2):(tip(column("pull"))):(number(column("weight"), 2)) with labels, \
     "" using ($0 + 0.2):(tip(column("longpull"))):(number(column("longweight"), 2)) with labels, \
     0 with lines lc rgb "#777777"
