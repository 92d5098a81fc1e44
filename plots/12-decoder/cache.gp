# What is saved by doing nothing twice?
load "plots/style.gp"

stats run."/cache.dat" using (words = $1, whole = $2, cached = $3, 1) nooutput
found = sprintf("Writing %.0f words: %.0f ms with a cache, %.0f without", words, cached, whole)
set title lines(found, 44)
set xlabel "words written (two blocks, 48 numbers a word)"
set ylabel "time for all of them (ms)"
set logscale xy
set format y powers
set xrange [13:320]
set xtics (16, 32, 64, 128, 256)
set yrange [0.05:1e4]
set label "all words anew for each" at 58, 120 right textcolor rgb "#d55e00"
set label "with a cache" at 100, 0.5 textcolor rgb "#0072b2"
plot run."/cache.dat" using 1:2 with linespoints ls 2 pt 7, \
     "" using 1:3 with linespoints ls 1 pt 7
