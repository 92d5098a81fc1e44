# In which step does each query meet each key?
# Needs stripe_seen
load "plots/style.gp"

set title lines("With 4 ranks each query meets all keys that it sees in 4 steps", 44)
set xlabel "key (number: step of the ring)"
set ylabel "query"
set xrange [-0.5:15.5]
set yrange [15.5:-0.5]
set xtics 0, 4
set ytics 0, 4
set cbrange [-1:3]
unset colorbox
unset grid
text(v) = v < 0 ? " " : sprintf("%.0f", v)
plot data."/weights.dat" matrix using 1:2:($3 < 0 ? NaN : $3) with image pixels, \
     "" matrix using 1:2:(text($3)):(ink($3, 0, 3)) with labels textcolor rgb variable
