# On what does a score depend: on the two positions, or on their difference?
# Needs position_angle sinusoidal_positions rotate
load "plots/style.gp"

set title lines("Only with RoPE does a score depend on nothing but the distance", 44)
set xlabel lines("distance of the key before the query, in words (both are the same word)", 42)
set ylabel "score"
set xrange [0:25]
set yrange [0:8]
set label "sinusoidal, query at 25" at 3.2, 7 textcolor rgb "#d55e00"
set label "sinusoidal, query at 59" at narrow ? 12 : 16, narrow ? 4.5 : 4.8 textcolor rgb "#d55e00"
set label "RoPE, query at 59" at 1, 1.6 textcolor rgb "#0072b2"
set label "RoPE, query at 25 (circles)" at 1, 0.7
plot data."/distance.dat" using "distance":"added_59" with lines ls 2, \
     "" using "distance":"added_25" with lines ls 2 lw 1, \
     "" using "distance":"rotated_59" with lines ls 1, \
     "" using "distance":"rotated_25" with points pt 6 ps 1.4 lc rgb "#000000"
