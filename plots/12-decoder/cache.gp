# How much work does the KV cache save?
load "plots/style.gp"

stats run."/cache.dat" using (words = $1, whole = $5, cached = $6, 1) nooutput
said = sprintf("%.0f tokens: each block computes %.0f rows with a KV cache, %.0f without", words, cached, whole)
set title lines(said, 44)
set xlabel "tokens generated"
set ylabel lines("rows that each block computes", 26)
set logscale xy
set format y powers
set xrange [13:320]
set xtics (16, 32, 64, 128, 256)
set yrange [8:1e5]
set label "without a cache" at 58, 4000 right textcolor rgb "#d55e00"
set label "with a KV cache" at 100, 50 textcolor rgb "#0072b2"
plot run."/cache.dat" using 1:5 with linespoints ls 2 pt 7, \
     "" using 1:6 with linespoints ls 1 pt 7
