# How much time does the KV cache save?
load "plots/style.gp"

stats run."/cache.dat" using (words = $1, whole = $2, cached = $3, 1) nooutput
found = sprintf("%.0f tokens: %.0f ms with a KV cache, %.0f ms without", words, cached, whole)
set title lines(found, 44)
set xlabel "tokens generated (two blocks of 48 dimensions)"
set ylabel "time for all tokens (ms)"
set logscale xy
set format y powers
set xrange [13:320]
set xtics (16, 32, 64, 128, 256)
set yrange [0.05:1e4]
set label "without a cache" at 58, 120 right textcolor rgb "#d55e00"
set label "with a KV cache" at 100, 0.5 textcolor rgb "#0072b2"
plot run."/cache.dat" using 1:2 with linespoints ls 2 pt 7, \
     "" using 1:3 with linespoints ls 1 pt 7
