# How far do scores spread, when queries and keys are drawn at random?
load "plots/style.gp"

name(d, std) = sprintf("d = %d: std ", d) . number(std, 2)
set multiplot layout 2, 1
set lmargin 11
set title "Scores spread like the square root of d, until it is divided out"
set ylabel "density (dimensionless)"
set xrange [-85:85]
set yrange [0:0.27]; set ytics 0.1
plot for [b = 0:2] data."/histogram_plain.dat" every ::33*b::33*b+32 \
         using "score":"density" with lines ls b + 1, \
     for [b = 0:2] "" every ::33*b::33*b \
         using (6 + 14 * b):(0.2 - 0.07 * b):(name(column("d"), column("std"))) with labels left
unset title
set xlabel "score, as it is (above) and scaled (below) (dimensionless)"
set xrange [-4.2:4.2]
set yrange [0:0.55]; set ytics 0.2
plot for [b = 0:2] data."/histogram_scaled.dat" every ::33*b::33*b+32 \
         using "score":"density" with lines ls b + 1, \
     for [b = 0:2] "" every ::33*b::33*b \
         using (1.2):(0.45 - 0.1 * b):(0.5):(0) with vectors nohead ls b + 1, \
     for [b = 0:2] "" every ::33*b::33*b \
         using (1.8):(0.45 - 0.1 * b):(name(column("d"), column("std"))) with labels left
unset multiplot
