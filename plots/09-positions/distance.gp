# What does a score know of the two places?
# Needs position_angle sinusoidal_positions rotate
load "plots/style.gp"

set title lines("Turned, a score knows the distance alone; with waves added it knows the place, too", 44)
set xlabel "how many words before the query the key stands"
set ylabel lines("scaled score of a word that asks the same word (dimensionless)", 34)
set yrange [0:*]
set key top right samplen 2
plot data."/distance.dat" using "distance":"added_59" with lines ls 2 title "waves added, query at 59", \
     "" using "distance":"added_25" with lines ls 2 lw 1 title "waves added, query at 25", \
     "" using "distance":"turned_59" with lines ls 1 title "turned, query at 59", \
     "" using "distance":"turned_25" with points pt 6 ps 1.4 lc rgb "#000000" title "turned, query at 25"
