# How many layers can learn?
load "plots/style.gp"

deep = best = other = 0
see(k) = strcol(k) eq "nan" ? 0 : column(k)
largest(k) = k == 2 ? see(2) : see(k) > largest(k - 1) ? see(k) : largest(k - 1)
stats run."/depth.dat" using (deep = $1, best = see(6), other = largest(5), 1) nooutput
set title found(best > 0.9 && other < 0.5, \
    sprintf("Of five arrangements, one learns with %.0f layers", deep))
set xlabel "layers"
set ylabel "share of right words"
set xrange [0:13]
set xtics (1, 2, 4, 8, 12)
set yrange [0:1.15]
set label "pre-norm" at 8.2, 1.0 textcolor rgb "#0072b2"
set label "residual only, post-norm" at 6.6, 0.55 textcolor rgb "#d55e00"
bare = narrow ? "bare,\nnorm only" : "bare, norm only"
set label bare at 0.2, 0.4
set label "guessing" at 10, 0.12 textcolor rgb "#777777"
plot 1 / 12.0 with lines ls 4, \
     for [k = 2:3] run."/depth.dat" using 1:k with linespoints ls 4 lw 2 pt 7 lc rgb "#404040", \
     "" using 1:4 with linespoints ls 2 pt 7, "" using 1:5 with linespoints ls 3 pt 6 ps 1.6, \
     "" using 1:6 with linespoints ls 1 pt 7
