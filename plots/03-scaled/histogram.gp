# How far do the scores of random queries and keys spread?
# Needs attention_scale variance
load "plots/style.gp"

table(k) = data . (k < 3 ? "/histogram_plain.dat" : "/histogram_scaled.dat")
array name[6]; array peak[6]
do for [k = 0:5] {
    stats table(k) every ::33*(k%3)::33*(k%3)+32 using (d = column("d"), std = column("std"), column("density")) nooutput
    name[k + 1] = sprintf("d = %d: std ", d) . number(std, narrow ? 1 : 2)
    peak[k + 1] = STATS_max
}
set multiplot layout 2, 1 title lines("Dot products spread like the square root of d; with the scale, the spread is 1", 44)
set lmargin 11
set for [k = 1:3] label k name[k] at graph 0.02, 1.14 - 0.24 * k tc ls k
set ylabel lines("density (peak: 1)", 10)
set xrange [-85:85]; set yrange [0:narrow ? 3 : 1.4]; set ytics 0.5 + 0.5 * narrow
plot for [b = 0:2] table(b) every ::33*b::33*b+32 \
     using "score":(column("density") / peak[b + 1]) with lines ls b + 1
set for [k = 1:3] label k name[k + 3]
set xlabel lines("score, as it is (above) and scaled (below)", 45)
set xrange [-4.2:4.2]
plot for [b = 0:2] table(b + 3) every ::33*b::33*b+32 \
     using "score":(column("density") / peak[b + 4]) with lines ls b + 1
unset multiplot
