# Is a very low score as good as a mask?
load "plots/style.gp"

set multiplot layout 2, 1
set lmargin 11
set title "A low score is no mask: it blocks only while the allowed scores are higher"
set xlabel "how far the allowed scores lie below 0 (dimensionless)"
set ylabel "weight leaked"
set logscale x; set format x powers
set yrange [-0.1:1.15]
set ytics 0.5
set label 1 "blocked: -10000" at 1.5e4, 0.5
set label 2 "blocked: -1e9" at 1.5e9, 0.5
set label 3 "masked: 0" at 1.5, 0.15
plot data."/leak.dat" using "depth":"billion" with lines ls 2, \
     "" using "depth":"tenthousand" with lines ls 3, "" using "depth":"true" with lines ls 1
unset logscale; set format x
set title "... and when every key is blocked, none is"
set xlabel "key of the query mat, blocked like all the others"
set label 1 "left: score set to -1e9" at 2.4, 0.6
set label 2 "right: -1e9 added to it" at 2.4, 0.44
set label 3 at -0.4, 0.3
plot [-0.5:5.5][-0.05:0.7] data."/nobody.dat" using ($0 - 0.2):"set":(0.38):xtic(1) with boxes \
     fc rgb "#e69f00", "" using ($0 + 0.2):"added":(0.38) with boxes fc rgb "#d55e00", \
     "" using 0:"true" with lines ls 1
