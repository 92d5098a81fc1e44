# Which keys does the gradient reach?
# Needs dot dot_scores blend dot_product_attention dot_product_attention_backward
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
set title lines("When one weight is nearly 1, hardly any gradient is left", 44)
set ylabel "weight"
set yrange [0:1.15]
set ytics 0.5
set boxwidth 0.38
set key top left reverse Left samplen 1
plot data."/gradients.dat" using ($0 - 0.2):"weight":xtic(1) with boxes fc rgb "#56b4e9" title "a short query", \
     "" using ($0 + 0.2):"longweight" with boxes fc rgb "#a04000" \
     title narrow ? "6 times as long" : "the same query, 6 times as long"
unset title
set xlabel lines("key (the query should find cat)", 40)
set ylabel lines("step towards the query", 12)
set yrange [-0.28:0.28]
set ytics 0.2
unset key
plot data."/gradients.dat" using ($0 - 0.2):"pull":xtic(1) with boxes fc rgb "#56b4e9", \
     "" using ($0 + 0.2):"longpull" with boxes fc rgb "#a04000", \
     "" using ($0 + 0.2):(ascii ? 0.12 : 0.05):(spared(number(column("longpull"), 2))) with labels tc rgb "#a04000", 0 with lines lc rgb "#777777"
unset multiplot
